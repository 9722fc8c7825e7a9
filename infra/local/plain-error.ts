/** A failure that the user can correct: its message is all they need, so no stack trace is shown. */
export class PlainError extends Error {
  override name = 'PlainError';
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
