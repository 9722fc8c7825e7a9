import * as z from 'zod';
import { roundId } from '../domain/payout/follow-state.ts';
import type { Needs } from '../ports/needs.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, ledger, log } from '../runtime.ts';
import { asStep, executionInput } from './as-step.ts';

export const endSubmitInput = executionInput.extend({ round: z.int().min(1) });

/** Records that this round's children are gone, so Follow knows that remaining payouts wait for another round. */
export const endSubmit = async (
  { ledger }: Needs<{ ledger: 'endRound' }>,
  { batchId, execution, round }: z.infer<typeof endSubmitInput>,
): Promise<{ batchId: string; next: 'ended' }> => {
  await ledger.endRound(batchId, roundId(executionNumber(batchId, execution), round));
  return { batchId, next: 'ended' };
};

export const handler = asStep('EndSubmit', endSubmitInput, log, bind(endSubmit, { ledger }));
