import type { BatchTransition } from '../domain/batch-status.ts';
import { batchTransitions, credentialsRefused } from '../domain/batch-status.ts';
import type { Call, CallOutcome } from '../domain/chunk.ts';
import type { Payout, Reason } from '../domain/payout.ts';
import type { ApplyDependencies, PolicyOf } from '../payouts/apply.ts';
import { applyAll } from '../payouts/apply.ts';
import type { Policy } from '../payouts/decide.ts';
import { follow, leave } from '../payouts/decide.ts';
import { inspect } from '../payouts/inspect.ts';
import type { Doubt, ResolveSettings } from '../payouts/resolve.ts';
import { loseSight, meaningOfRejection, release, resolve } from '../payouts/resolve.ts';
import type { Disbursement, SubmitAnswer } from '../ports/provider.ts';
import type { Invocation, Needs } from './step.ts';

export type RecordCallAnswerDependencies = ApplyDependencies &
  Needs<
    {
      ledger: 'recordCallOutcome' | 'moveBatch';
      provider: 'lookUp' | 'listByReference';
      settings: keyof ResolveSettings;
    },
    'clock'
  >;

/** A call that was claimed, the calls of its chunk before it, and its payouts as the claim left them. */
export interface ClaimedCall extends Doubt {
  readonly payouts: readonly Payout[];
}

/** Look-ups at once. */
const questionsAtOnce = 8;
/** Milliseconds that one look-up and its write may take; with less left the rest is for Follow. */
const questionMarginMs = 8_000;

/**
 * Writes down what became of a call: first its outcome, then each payout. A crash in between leaves payouts `submitting`,
 * which Follow resolves by what the call says and what the provider says. Answers the call with its outcome, and its payouts as they then stand.
 */
export const recordCallAnswer = async (
  dependencies: RecordCallAnswerDependencies,
  { call: claimed, calls, payouts }: ClaimedCall,
  answer: SubmitAnswer,
  invocation: Invocation,
): Promise<ClaimedCall> => {
  const { ledger, provider, settings, clock, log } = dependencies;
  const call = { ...claimed, outcome: outcomeOf(answer, payouts) };
  await ledger.recordCallOutcome(call, call.outcome);
  const all = async (policyOf: PolicyOf, atOnce?: number): Promise<ClaimedCall> => {
    return { call, calls, payouts: await applyAll(dependencies, payouts, policyOf, atOnce) };
  };
  switch (answer.kind) {
    case 'answered': {
      const shown = byReference(answer.disbursements);
      return all(({ reference }) => adoptOrLose(call, shown.get(reference)));
    }
    case 'not_sent':
      return all(() => release(call));
    case 'rejected':
      if (meaningOfRejection(answer.message) === 'insufficient_balance')
        await stopBatch(dependencies, call, batchTransitions.pause, balanceTooLow);
      // One look at each payout confirms that nothing was made. What is not asked in time is left to Follow.
      return all(async (payout) => {
        if (invocation.remainingMs() < questionMarginMs) return leave;
        return resolve(await inspect(provider, payout), { call, calls }, settings, clock());
      }, questionsAtOnce);
    case 'halted':
      await stopBatch(dependencies, call, batchTransitions.halt, credentialsRefused);
      log.alarm('BatchHalted', { batchId: call.batchId, chunk: call.chunk });
      return { call, calls, payouts };
    case 'unknown':
      return all(() => loseSight(call));
  }
};

const byReference = (
  disbursements: readonly Disbursement[],
): ReadonlyMap<string | undefined, readonly Disbursement[]> => Map.groupBy(disbursements, ({ reference }) => reference);

const outcomeOf = (answer: SubmitAnswer, payouts: readonly Payout[]): CallOutcome => {
  if (answer.kind === 'not_sent') return { kind: 'not_sent' };
  if (answer.kind !== 'answered') return answer;
  const found = byReference(answer.disbursements);
  const isWhole = payouts.every(({ reference }) => found.get(reference)?.length === 1);
  if (!isWhole) return { kind: 'unknown', cause: 'items_missing' };
  if (answer.disbursements.length !== payouts.length) return { kind: 'unknown', cause: 'items_unexpected' };
  return { kind: 'accepted' };
};

/**
 * A payout that the answer names takes its disbursement over. A second one under its reference is recorded here and now: a
 * look-up would show one of the two.
 */
const adoptOrLose = (call: Call, [first, ...others]: readonly Disbursement[] = []): Policy =>
  first === undefined ? loseSight(call) : follow({ kind: 'fits', disbursement: first, others });

const balanceTooLow: Reason = {
  code: 'insufficient_balance',
  message: 'The provider refused a call because the balance is too low. Top it up, then resume.',
};

/** Pauses a batch that was submitting. Of one that stands still already, or has ended, it changes nothing. */
export const stopBatch = async (
  { ledger }: Needs<{ ledger: 'moveBatch' }>,
  { batchId }: Pick<Call, 'batchId'>,
  transition: BatchTransition,
  reason: Reason,
): Promise<void> => {
  await ledger.moveBatch(batchId, transition, 'system', { reason, resumeTo: 'processing' }, reason.code);
};
