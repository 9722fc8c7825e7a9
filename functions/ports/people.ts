/** Where people read what they should know. */
export interface People {
  tell(notice: { readonly subject: string; readonly message: string }): Promise<void>;
}
