/** A page of something, with an opaque cursor to the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}
