import * as z from 'zod';
import { endExecution } from '../batches/end-execution.ts';
import { reasonForFailure } from '../domain/failure-reason.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import { executionNumber } from '../ports/workflow.ts';
import { ledger, log } from '../runtime.ts';
import { getExistingBatch } from './planned-batch.ts';
import { asStep, executionInput } from './step.ts';

const failureInput = executionInput.extend({ error: z.object({ Error: z.string() }) });

/**
 * Pauses a batch whose workflow met what it could not mend, with a reason a person can act on. What was submitted stays
 * in the ledger: resume starts another execution, which goes on from there; cancel ends it. Told once more after that, as a
 * retry can be, it leaves the batch to the execution that was started.
 */
export const recordFailure = async (
  { ledger }: { readonly ledger: Pick<BatchLedger, 'getBatch' | 'moveBatch' | 'amendBatch'> },
  { batchId, execution, error }: z.infer<typeof failureInput>,
): Promise<{ batchId: string; next: 'attention' }> => {
  const batch = await getExistingBatch(ledger, batchId);
  await endExecution(ledger, batch, executionNumber(batchId, execution), reasonForFailure(error.Error));
  return { batchId, next: 'attention' };
};

export const handler = asStep('RecordFailure', failureInput, log, (input) =>
  recordFailure({ ledger: ledger() }, input),
);
