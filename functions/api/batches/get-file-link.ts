import type { Batch } from '../../domain/batch/batch.ts';
import type { ReportName } from '../../ports/files.ts';
import { retryNames, toCorrectNames } from '../../ports/files.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, files, ledger, log, settings } from '../../runtime.ts';
import { reportsByItself } from '../control/allowed-actions.ts';
import { leftoverWorkOf } from '../control/leftover-work.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { LinkForDependencies } from '../link-for.ts';
import { linkFor } from '../link-for.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { fileKeys } from '../views/batch.ts';

export type GetFileLinkDependencies = LinkForDependencies & Needs<{ ledger: 'getBatch' | 'readProgress' }>;

/** A presigned link to one of a batch's files, valid for `fileLinkSeconds`. */
export const getFileLink = async (
  dependencies: GetFileLinkDependencies,
  { path: { batchId, name } }: Pick<RequestOf<typeof operations.getFileLink>, 'path'>,
): Promise<OutcomeOf<typeof operations.getFileLink>> => {
  const { ledger } = dependencies;
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const key = fileKeys(batch)[name];
  if (key === undefined) return problem('file_not_ready', { batchStatus: batch.status });
  if (listsUnpaid.includes(name) && (await mayPayTwice(ledger, batch))) {
    const again = reportsByItself(batch)
      ? 'The batch still runs, and writes it again by itself.'
      : 'Resume the batch to write it again.';
    const detail = `The provider may have contradicted payouts since this file was written. ${again}`;
    return problem('file_not_ready', { detail, batchStatus: batch.status });
  }
  return answer(200, await linkFor(dependencies, key, downloadName(batch, name)));
};

/** Files that list unpaid payouts. A person, or the payer's own system, pays those again. */
const listsUnpaid: readonly ReportName[] = [...retryNames, 'pain-002.xml'];

/** Files written once, before anything is paid. */
const planFiles: readonly ReportName[] = ['errors.csv', ...toCorrectNames, 'repeated-debts.csv'];

/**
 * The file name for the download. It contains the batch's id, because someone may have several: `retry-b-01k….xlsx`. It also
 * marks an interim report, because a CSV has no place for that: `results-b-01k….interim-2-open.csv`.
 */
const downloadName = ({ batchId, report }: Batch, name: ReportName): string => {
  const interim =
    report?.interim === undefined || planFiles.includes(name) ? '' : `.interim-${report.interim.openRows}-open`;
  return name.replace('.', `-${batchId}${interim}.`);
};

/**
 * True when such a file may list payouts that the provider has since contradicted. A payout that failed at first may have been
 * paid later. A file written after that leaves them out.
 */
const mayPayTwice = async (ledger: Pick<PayoutLedger, 'readProgress'>, batch: Batch): Promise<boolean> => {
  const progress = await ledger.readProgress(batch.batchId, { consistent: true });
  return progress.contradictions.recorded > 0 && leftoverWorkOf(batch, progress).reportOutdated;
};

export const handler = endpoint(log, operations.getFileLink, bind(getFileLink, { ledger, files, settings }));
