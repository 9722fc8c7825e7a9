/** A failure the user can do something about: its message is all they need, so no stack is shown. */
export class PlainError extends Error {
  override name = 'PlainError';
}
