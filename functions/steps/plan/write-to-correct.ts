import { Readable } from 'node:stream';
import type { PinnedFile } from '../../domain/batch/batch.ts';
import type { HashedFile } from '../../domain/batch/plan.ts';
import { describeProblems, readSkippedRows } from '../../domain/batch/skipped-rows.ts';
import { FileRefused } from '../../domain/payout-file/fields.ts';
import { correctPayoutFile, isUtf8File } from '../../domain/payout-file/readers/read-payout-file.ts';
import type { Corrections } from '../../domain/payout-file/readers/write-corrections.ts';
import type { PlanFiles } from '../../ports/files.ts';
import type { Needs } from '../../ports/needs.ts';

type WriteToCorrectDependencies = Needs<{
  files: 'openUpload' | 'readList';
  settings: 'maxFileBytes' | 'maxUnpackedBytes';
}> & {
  readonly planFiles: Pick<PlanFiles, 'putToCorrect'>;
};

/** Returns a lookup of each row's problems from errors.csv, to be called for the rows in order. */
const problemsInTurn = async (errors: AsyncIterable<Uint8Array>): Promise<Corrections['errorOf']> => {
  const rows = readSkippedRows(errors);
  let next = await rows.next();
  return async (row) => {
    if (next.done === true || next.value.row !== row) return undefined;
    const problems = describeProblems(next.value);
    next = await rows.next();
    return problems;
  };
};

/**
 * Writes the payout file again in its own format, with its problems. A refused file is written whole, since nothing was paid;
 * otherwise only the skipped rows. A file with errors is read twice more: for its encoding, then to write it. Returns the key;
 * undefined for file formats that cannot be returned, of which only the head is read, and when the rest of the file is
 * unreadable.
 */
export const writeToCorrect = async (
  { files, planFiles, settings }: WriteToCorrectDependencies,
  file: PinnedFile,
  errorsFile: HashedFile,
  isRefused: boolean,
): Promise<string | undefined> => {
  const sources: Readable[] = [];
  const open = async (): Promise<Readable> => {
    const source = await files.openUpload(file);
    sources.push(source);
    return source;
  };
  try {
    const isUtf8 = await isUtf8File(await open(), settings);
    const problemsOf = await problemsInTurn(files.readList(errorsFile));
    const corrections = { errorOf: problemsOf, withGoodRows: isRefused, isUtf8 };
    const corrected = await correctPayoutFile(await open(), settings, corrections);
    if (corrected === undefined) return undefined;
    return await planFiles.putToCorrect(corrected.name, Readable.from(corrected.content, { objectMode: false }));
  } catch (error) {
    // When the header is wrong, the rest of the file is read here for the first time.
    if (error instanceof FileRefused) return undefined;
    throw error;
  } finally {
    for (const source of sources) source.destroy();
  }
};
