/** The channel on which people receive notices. */
export interface People {
  tell(notice: { readonly subject: string; readonly message: string }): Promise<void>;
}
