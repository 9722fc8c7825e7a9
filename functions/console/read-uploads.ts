import type { ListBatchesDependencies } from '../api/batches/list-batches.ts';
import { listBatches } from '../api/batches/list-batches.ts';
import { readBatches } from '../api/batches/read-batches.ts';
import type { BatchSummary } from '../api/schemas/batch.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { isBatchEnd } from '../domain/batch/batch-status.ts';
import { countSkipped } from '../domain/batch/skipped-rows.ts';
import { given } from '../domain/given.ts';
import { inOrder } from '../domain/in-parallel.ts';
import { hasRowsToCorrect } from '../domain/report/corrections.ts';
import type { Upload } from '../ports/files.ts';
import type { Needs } from '../ports/needs.ts';
import type { WidgetContext } from './request.ts';
import { beginParams, inField } from './request.ts';
import type { CheckedFile } from './views/next-step.ts';
import type { UploadsToDraw } from './views/uploads.ts';
import { batchIdsIn, fileName } from './words/labels.ts';

export type ReadUploadsDependencies = ListBatchesDependencies &
  Needs<{ ledger: 'getBatch' | 'findByFile'; files: 'listUploads' }> & {
    /** URL of the S3 console's upload page. */
    readonly uploadPage: string;
  };

/** Files on a page, and recent batches searched for those that used them. Older payments are found by their file. */
const uploadsShown = 50;
const batchesLookedAt = 100;

/** Concurrent reads of the payments of a file. */
const atOnce = 10;

const versionOf = ({ key, versionId }: Pick<Upload, 'key' | 'versionId'>): string => `${versionId} ${key}`;

/**
 * The batch whose corrections file this is, by its name. A retry file's name contains a batch id too, but it corrects
 * no rows.
 */
const namedIn = (key: string): string | undefined => {
  const name = fileName(key);
  return batchIdsIn(name).find((batchId) => !name.includes(`retry-${batchId}`));
};

/** The last finished check of a version. Undefined unless the file passed. */
const passedIn = (batches: readonly BatchSummary[]): string | undefined => {
  const last = batches.find(({ mode, status }) => mode === 'preview' && isBatchEnd(status));
  return last?.status === 'previewed' ? last.batchId : undefined;
};

const asChecked = (batch: Batch): CheckedFile => ({
  ...batch,
  skippedRows: countSkipped(batch.plan),
  planned: batch.plan?.currencies ?? [],
  findings: batch.approval?.findings ?? [],
});

/** Lists the newest files whose name begins as the field says, each with the newest batches of its version. */
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
  const readKnown = async (upload: Upload) => {
    const recent = byVersion.get(versionOf(upload)) ?? [];
    const payments = await ledger.findByFile(upload);
    const older = payments.filter((id) => !recent.some(({ batchId }) => batchId === id));
    const batches = [...recent, ...(await readBatches(ledger, older)).toReversed()];
    return { upload, batches, named: namedIn(upload.key), passed: passedIn(recent) };
  };
  const known = await Array.fromAsync(inOrder(newest, atOnce, readKnown));
  const wanted = new Set(known.flatMap(({ named, passed }) => [named ?? [], passed ?? []].flat()));
  const read = await readBatches(ledger, wanted);
  const batchesById = new Map(read.map((batch) => [batch.batchId, batch]));
  return {
    startsWith,
    invalidRows: inField(context, 'invalidRows') === 'skip' ? 'skip' : 'reject',
    uploadPage,
    found: uploads.length,
    isWhole,
    uploads: known.map(({ upload, batches, named = '', passed = '' }) => {
      const [corrected, checked] = [batchesById.get(named), batchesById.get(passed)];
      return {
        ...upload,
        mayBegin: beginParams.shape.file.safeParse(upload.key).success,
        batches,
        ...given({
          corrects: corrected !== undefined && hasRowsToCorrect(corrected) ? named : undefined,
          checked: checked && asChecked(checked),
        }),
      };
    }),
  };
};
