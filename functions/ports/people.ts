/** The channel on which people receive notices. */
export interface People {
  notify(notice: { readonly subject: string; readonly message: string }): Promise<void>;
}
