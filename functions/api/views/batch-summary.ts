import type { Batch } from '../../domain/batch/batch.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import { controlTotalsInText } from '../../domain/money/money-records.ts';
import type { Workflow } from '../../ports/workflow.ts';
import { executionName } from '../../ports/workflow.ts';
import type { BatchSummary } from '../schemas/batch.ts';
import { batchSummary } from '../schemas/batch.ts';
import { shown } from './shown.ts';

/** A batch as lists and actions return it. */
export const summarizeBatch = (workflow: Pick<Workflow, 'consoleUrl'>, batch: Batch): BatchSummary =>
  shown(batchSummary, {
    ...batch,
    since: batch.statusSince,
    expect: batch.expect && controlTotalsInText(batch.expect),
    correctedBy: batch.correctedBy && [...batch.correctedBy].sort(),
    // The last execution of a scheduled batch has not begun.
    executions: Array.from(
      { length: batch.executions - (batchStatusIs(batch.status, 'awaitsStart') ? 1 : 0) },
      (_, index) => {
        const name = executionName(batch.batchId, index + 1);
        return { name, consoleUrl: workflow.consoleUrl(name) };
      },
    ),
  });
