import { once } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import { PassThrough } from 'node:stream';

const ignore = (): void => undefined;

/** A file that `put` stores while it is written. It starts with the first piece, so an empty file is not stored. */
export const storedWhileWritten = <Piece, Stored>(open: () => Transform, put: (file: Readable) => Promise<Stored>) => {
  let file: { readonly stream: Transform; readonly stored: Promise<Stored> } | undefined;
  const begin = () => {
    const stream = open();
    const stored = put(stream.pipe(new PassThrough()));
    // A failed upload also ends the writing. `finish` reports its error.
    stored.catch((error: unknown) =>
      stream.destroy(error instanceof Error ? error : new Error('a file was not stored')),
    );
    stream.on('error', ignore);
    return { stream, stored };
  };
  return {
    /** Waits when the store is slower than the writer. */
    write: (piece: Piece): Promise<void> | void => {
      file ??= begin();
      if (file.stream.destroyed || file.stream.write(piece)) return undefined;
      return once(file.stream, 'drain').then(ignore, ignore);
    },
    /** Ends the file, and returns the result of `put` once it is stored. Undefined when nothing was written. */
    finish: async (): Promise<Stored | undefined> => {
      file?.stream.end();
      return file?.stored;
    },
  };
};
