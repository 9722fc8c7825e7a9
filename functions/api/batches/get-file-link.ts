import type { Batch } from '../../domain/batch/batch.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files, ReportName } from '../../ports/files.ts';
import { retryNames, toCorrectNames } from '../../ports/files.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { clock, files, ledger, log, settings } from '../../runtime.ts';
import { unsettledOf } from '../control/unsettled.ts';
import { endpoint } from '../endpoint.ts';
import type { Outcome } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { FileLink } from '../schemas/batch.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { fileKey } from '../views/batch.ts';

export interface GetFileLinkDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch'> & Pick<PayoutLedger, 'readProgress'>;
  readonly files: Pick<Files, 'linkTo'>;
  readonly settings: Pick<OrchestratorSettings, 'fileLinkSeconds'>;
  readonly clock: Clock;
}

/** A presigned link to one of a batch's files, valid for `fileLinkSeconds`. */
export const getFileLink = async (
  { ledger, files, settings, clock }: GetFileLinkDependencies,
  { path: { batchId, name } }: Pick<RequestOf<typeof operations.getFileLink>, 'path'>,
): Promise<Outcome<FileLink>> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const key = fileKey(batch, name);
  if (key === undefined) return problem('file_not_ready', { batchStatus: batch.status });
  if (tellsToPayAgain.includes(name) && (await mayPayTwice(ledger, batch))) {
    const detail =
      'The provider has contradicted payouts since it was written: resume the batch, which writes it anew.';
    return problem('file_not_ready', { detail, batchStatus: batch.status });
  }
  // Taken before the link is signed: the link is then valid at least as long as the answer says.
  const expiresAt = new Date(clock() + settings.fileLinkSeconds * 1000).toISOString();
  return answer(200, { url: await files.linkTo(key, settings.fileLinkSeconds, downloadName(batch, name)), expiresAt });
};

/** What a file says was not paid is paid again, by a person or by the payer's own system. */
const tellsToPayAgain: readonly ReportName[] = [...retryNames, 'pain-002.xml'];

/** Written once, before anything is paid. */
const ofPlan: readonly ReportName[] = ['errors.csv', ...toCorrectNames, 'repeated-debts.csv'];

/**
 * Each says whose it is, `retry-b-01k….xlsx`: somebody may have several. An interim report says so too, since a CSV has no place for
 * it: `results-b-01k….interim-2-open.csv`.
 */
const downloadName = ({ batchId, report }: Batch, name: ReportName): string => {
  const interim =
    report?.interim === undefined || ofPlan.includes(name) ? '' : `.interim-${report.interim.openRows}-open`;
  return name.replace('.', `-${batchId}${interim}.`);
};

/**
 * Whether such a file may have payouts that the provider contradicts: what failed by its first word may have been paid by a
 * later one. One that is written after that leaves them out.
 */
const mayPayTwice = async (ledger: Pick<PayoutLedger, 'readProgress'>, batch: Batch): Promise<boolean> => {
  const progress = await ledger.readProgress(batch.batchId, { consistent: true });
  return progress.contradictions.recorded > 0 && unsettledOf(batch, progress).reportOutdated;
};

export const handler = endpoint(log, operations.getFileLink, (request) =>
  getFileLink({ ledger: ledger(), files: files(), settings: settings(), clock }, request),
);
