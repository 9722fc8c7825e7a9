import * as z from 'zod';
import type { Log } from '../../ports/environment.ts';
import type { Invocation } from '../as-step.ts';
import { asStep, batchInput } from '../as-step.ts';

/** Input of the steps between which a batch waits for the provider, for money, or for a person. */
export const waitingInput = batchInput.extend({ waits: z.int().nonnegative().default(0) });

/** `waits`: how often the batch has waited in this execution. */
export type WaitingInput = z.infer<typeof waitingInput>;

/**
 * Waits after which the next execution takes over. Sweeps leave 2,000 of a history's 25,000 events to everything else
 * (sweepsPerExecution). A wait takes at most 23: 7 each for PlanFunding, AwaitRelease and Convert with their choices, and 2 of
 * its own. It takes 7 more when a conversion was made, and one of EstimateFees takes 9. 80 waits take 1,840.
 */
const waitsPerExecution = 80;

/** Makes a waiting step hand over in time: a batch may wait for weeks, but a history holds 25,000 events. */
export const countWaits =
  <Output extends { readonly next: string }>(run: (input: WaitingInput, invocation: Invocation) => Promise<Output>) =>
  async (
    { batchId, waits }: WaitingInput,
    invocation: Invocation,
  ): Promise<(Output & { readonly waits: number }) | { readonly batchId: string; readonly next: 'hand_over' }> => {
    const output = await run({ batchId, waits }, invocation);
    if (output.next !== 'wait' && output.next !== 'await') return { ...output, waits };
    return waits < waitsPerExecution ? { ...output, waits: waits + 1 } : { batchId, next: 'hand_over' };
  };

/** Wraps a step that counts its waits as a Lambda handler: see asStep. */
export const asWaitingStep = <Output extends { readonly next: string }>(
  name: string,
  log: Log,
  run: (input: WaitingInput, invocation: Invocation) => Promise<Output>,
) => asStep(name, waitingInput, log, countWaits(run));
