import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Clock } from '../ports/environment.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { Workflow } from '../ports/workflow.ts';
import { clock, ledger, log, workflow } from '../runtime.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { BatchView } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { viewBatch } from './views/batch.ts';

export interface GetBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'listEvents'> &
    Pick<PayoutLedger, 'listChunks'> &
    Pick<FundsLedger, 'listConversions'>;
  readonly workflow: Pick<Workflow, 'consoleUrl'>;
  readonly clock: Clock;
}

/** Everything about a batch but its payouts. Counts are as of each chunk's last step. */
export const getBatch = async (
  { ledger, workflow, clock }: GetBatchDependencies,
  { path: { batchId } }: Pick<RequestOf<typeof operations.getBatch>, 'path'>,
): Promise<Outcome<BatchView>> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const [chunks, conversions, events] = await Promise.all([
    ledger.listChunks(batchId),
    ledger.listConversions(batchId),
    ledger.listEvents(batchId),
  ]);
  return answer(200, viewBatch({ workflow, clock }, { batch, chunks, conversions, events }));
};

export const handler = endpoint(log, operations.getBatch, (request) =>
  getBatch({ ledger: ledger(), workflow: workflow(), clock }, request),
);
