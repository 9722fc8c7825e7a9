import type { Batch } from '../../domain/batch/batch.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import { given } from '../../domain/given.ts';
import { controlTotalsInText } from '../../domain/money/money-records.ts';
import type { Reason } from '../../domain/payout/payout.ts';
import type { Workflow } from '../../ports/workflow.ts';
import { executionName } from '../../ports/workflow.ts';
import type { BatchSummary } from '../schemas/batch.ts';

/** Only the fields that the API promises. Other attributes of a ledger item stay internal. */
export const viewReason = (reason: Reason | undefined): { reason?: { code: string; message: string } } =>
  given({ reason: reason && { code: reason.code, message: reason.message } });

/** A batch as lists and actions return it. */
export const summarizeBatch = (workflow: Pick<Workflow, 'consoleUrl'>, batch: Batch): BatchSummary => ({
  batchId: batch.batchId,
  status: batch.status,
  ...viewReason(batch.reason),
  since: batch.statusSince,
  mode: batch.mode,
  invalidRows: batch.invalidRows,
  allowSameFile: batch.allowSameFile,
  ...given({
    approvalRequired: batch.approvalRequired,
    startAt: batch.startAt,
    canary: batch.canary,
    pauseAbove: batch.pauseAbove,
    expect: batch.expect && controlTotalsInText(batch.expect),
    corrects: batch.corrects,
    correctedBy: batch.correctedBy && [...batch.correctedBy].sort(),
  }),
  file: { key: batch.file.key, versionId: batch.file.versionId, bytes: batch.file.bytes },
  createdAt: batch.createdAt,
  createdBy: batch.createdBy,
  ...given({ cancelRequestedAt: batch.cancelRequestedAt }),
  // The last execution of a scheduled batch has not begun.
  executions: Array.from(
    { length: batch.executions - (batchStatusIs(batch.status, 'awaitsStart') ? 1 : 0) },
    (_, index) => {
      const name = executionName(batch.batchId, index + 1);
      return { name, consoleUrl: workflow.consoleUrl(name) };
    },
  ),
});
