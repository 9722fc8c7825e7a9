import { Readable } from 'node:stream';
import type { PinnedFile } from '../../domain/batch/batch.ts';
import type { HashedFile } from '../../domain/batch/plan.ts';
import { describeProblems, readSkippedRows } from '../../domain/batch/skipped-rows.ts';
import { FileRefused } from '../../domain/payout-file/fields.ts';
import { correctPayoutFile, isUtf8File } from '../../domain/payout-file/readers/read-payout-file.ts';
import type { Corrections } from '../../domain/payout-file/readers/write-corrections.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { Files, PlanFiles } from '../../ports/files.ts';

export interface WriteToCorrectDependencies {
  readonly files: Pick<Files, 'openUpload' | 'readErrors'>;
  readonly planFiles: Pick<PlanFiles, 'putToCorrect'>;
  readonly settings: Pick<OrchestratorSettings, 'maxFileBytes' | 'maxUnpackedBytes'>;
}

/** What errors.csv tells of rows, for a reader that asks of each in turn. Waits only where a row has problems. */
const problemsInTurn = async (errors: AsyncIterable<Uint8Array>): Promise<Corrections['of']> => {
  const rows = readSkippedRows(errors);
  let next = await rows.next();
  const take = async (): Promise<string | undefined> => {
    const told = next.done === true ? undefined : describeProblems(next.value);
    next = await rows.next();
    return told;
  };
  return (row) => (next.done !== true && next.value.row === row ? take() : undefined);
};

/**
 * Writes the payout file again as it was written, with what is wrong: all rows of a refused file, since nothing was paid; of
 * another those that were skipped. A file with errors is read twice more: for its encoding, then to write it. Answers the key;
 * undefined of a kind of file that does not come back, of which only the head is read.
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
    const of = await problemsInTurn(files.readErrors(errorsFile));
    const corrected = await correctPayoutFile(await open(), settings, { of, withGoodRows: isRefused, isUtf8 });
    if (corrected === undefined) return undefined;
    return await planFiles.putToCorrect(corrected.name, Readable.from(corrected.content, { objectMode: false }));
  } catch (error) {
    // Of a file whose header is wrong nobody has read the rest before.
    if (error instanceof FileRefused) return undefined;
    throw error;
  } finally {
    for (const source of sources) source.destroy();
  }
};
