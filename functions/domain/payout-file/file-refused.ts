import type { RowError } from '../batch.ts';

/**
 * The file as a whole cannot be read on: what follows is unknown, so nothing of it may be paid. Thrown through the
 * layers of the stream that reads it, and turned into a value at one place, by planPayoutFile.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly errors: readonly RowError[];

  constructor(errors: readonly RowError[]) {
    super(errors.map((error) => error.code).join(', '));
    this.errors = errors;
  }
}

/** A refusal for one reason; row 0 means the file itself. */
export const refuseFile = (code: string, message: string, row = 0, column = ''): FileRefused =>
  new FileRefused([{ row, column, code, message }]);
