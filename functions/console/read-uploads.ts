import type { ListBatchesDependencies } from '../api/list-batches.ts';
import { listBatches } from '../api/list-batches.ts';
import type { BatchSummary } from '../api/schemas/batch.ts';
import { hasRowsToCorrect } from '../domain/corrections.ts';
import { inOrder } from '../domain/in-parallel.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Files, Upload } from '../ports/files.ts';
import type { WidgetContext } from './request.ts';
import { beginParams, inField } from './request.ts';
import type { UploadsToDraw } from './views/uploads.ts';

export interface ReadUploadsDependencies extends ListBatchesDependencies {
  readonly ledger: Pick<BatchLedger, 'listBatches' | 'getBatch'>;
  readonly files: Pick<Files, 'listUploads'>;
  /** Where the S3 console takes a file to upload. */
  readonly uploadPage: string;
}

/** Files on a page, and batches that are looked through for them. */
const uploadsShown = 50;
const batchesLookedAt = 100;

/** Batches that are read at once. */
const atOnce = 5;

const versionOf = ({ key, versionId }: Pick<Upload, 'key' | 'versionId'>): string => `${versionId} ${key}`;

/** The batch that a download to correct is named after. */
const namedIn = (key: string): string | undefined =>
  /(?<![0-9A-Za-z])b-[0-9a-z]{26}(?![0-9A-Za-z])/.exec(key.split('/').at(-1) ?? '')?.[0];

/** Of the batches that these files are named after, those with rows to correct. */
const correctable = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  uploads: readonly Upload[],
): Promise<ReadonlySet<string>> => {
  const named = [...new Set(uploads.flatMap(({ key }) => namedIn(key) ?? []))];
  const found = new Set<string>();
  for await (const batch of inOrder(named, atOnce, (batchId) => ledger.getBatch(batchId)))
    if (batch !== undefined && hasRowsToCorrect(batch)) found.add(batch.batchId);
  return found;
};

/** The newest files whose name begins as a field says, each with the newest batches of its version. */
export const readUploads = async (
  dependencies: ReadUploadsDependencies,
  context: WidgetContext,
): Promise<UploadsToDraw> => {
  const { ledger, files, uploadPage } = dependencies;
  const startsWith = inField(context, 'startsWith') ?? '';
  const [{ uploads, isWhole }, page] = await Promise.all([
    files.listUploads(startsWith),
    listBatches(dependencies, { query: { limit: batchesLookedAt } }),
  ]);
  const newest = uploads.toSorted((one, other) => (one.uploadedAt < other.uploadedAt ? 1 : -1)).slice(0, uploadsShown);
  const summaries = page.kind === 'answer' ? page.body.batches : [];
  const byVersion = Map.groupBy(summaries, ({ file }: BatchSummary) => versionOf(file));
  const corrected = await correctable(ledger, newest);
  return {
    startsWith,
    invalidRows: inField(context, 'invalidRows') === 'skip' ? 'skip' : 'reject',
    uploadPage,
    found: uploads.length,
    isWhole,
    uploads: newest.map((upload) => {
      const named = namedIn(upload.key);
      return {
        ...upload,
        mayBegin: beginParams.shape.file.safeParse(upload.key).success,
        batches: byVersion.get(versionOf(upload)) ?? [],
        ...(named !== undefined && corrected.has(named) ? { corrects: named } : {}),
      };
    }),
  };
};
