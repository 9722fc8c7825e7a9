import { pauseAsRead } from '../../batches/pause-as-read.ts';
import { batchTransitions, pausedByOperator } from '../../domain/batch/batch-status.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, workflow } from '../../runtime.ts';
import { canPause } from '../control/allowed-actions.ts';
import { conflict } from '../control/conflict.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

const reason = { code: pausedByOperator, message: 'An operator paused the batch.' } as const;

/** Stops the claiming of calls. A batch that is already paused keeps its status and reason. */
export const pauseBatch = async (
  { ledger, workflow }: Needs<{ ledger: 'getBatch' | 'moveBatch'; workflow: 'consoleUrl' }>,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.pauseBatch>, 'path' | 'caller' | 'body'>,
): Promise<OutcomeOf<typeof operations.pauseBatch>> => {
  const asked = await ledger.getBatch(batchId);
  if (asked === undefined) return problem('batch_not_found');
  const transition = batchTransitions.pause;
  const pausing = { transition, by: caller, reason, note: body.reason, isWanted: canPause };
  const batch = await pauseAsRead(ledger, asked, pausing);
  return batch.status === 'paused' ? answer(200, summarizeBatch(workflow, batch)) : conflict(batch, 'paused');
};

export const handler = endpoint(log, operations.pauseBatch, bind(pauseBatch, { ledger, workflow }));
