import type { BatchTransition } from '../../domain/batch/batch-status.ts';
import { batchTransitions, credentialsRefused } from '../../domain/batch/batch-status.ts';
import type { Call, CallOutcome } from '../../domain/batch/chunk.ts';
import type { Payout, Reason } from '../../domain/payout/payout.ts';
import { concernAllRows, refusalWords } from '../../domain/payout/refusals.ts';
import type { ApplyDependencies, PolicyOf } from '../../payouts/apply.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide.ts';
import { follow, leave } from '../../payouts/decide.ts';
import { inspect } from '../../payouts/inspect.ts';
import { unmadeSince } from '../../payouts/made-since.ts';
import type { Doubt } from '../../payouts/resolve.ts';
import { isRefusedForSure, loseSight, release, resolve } from '../../payouts/resolve.ts';
import type { BatchChanges } from '../../ports/ledger/batch-ledger.ts';
import type { Disbursement, SubmitAnswer } from '../../ports/provider.ts';
import type { Invocation, Needs } from '../step.ts';

export type RecordCallAnswerDependencies = ApplyDependencies &
  Needs<
    {
      ledger: 'recordCallOutcome' | 'moveBatch' | 'countRefusal' | 'forgetRefusals';
      provider: 'lookUp' | 'listByReference' | 'listDisbursements' | 'pageSize' | 'traits';
      settings: 'resolveAfterSeconds' | 'equalRefusals';
    },
    'clock'
  >;

/** A call that was claimed, the calls of its chunk before it, and its payouts as the claim left them. */
export interface ClaimedCall extends Doubt {
  readonly payouts: readonly Payout[];
  /** Words of refusals that a person has seen: rows that are refused in these are at fault. */
  readonly acknowledgedWords?: readonly string[];
}

/** Look-ups at once. */
const questionsAtOnce = 8;
/** Milliseconds that one look-up and its write may take; with less left the rest is for Follow. */
const questionMarginMs = 8_000;

/**
 * Writes down what became of a call: first its outcome, then each payout. Only what a refusal counts comes before. A crash in
 * between leaves payouts `submitting`, which Follow resolves by what the call says and what the provider says. Answers the
 * call with its outcome, and its payouts as they then stand.
 */
export const recordCallAnswer = async (
  dependencies: RecordCallAnswerDependencies,
  claimed: ClaimedCall,
  answer: SubmitAnswer,
  invocation: Invocation,
): Promise<ClaimedCall> => {
  const { ledger, provider, settings, clock, log } = dependencies;
  const { calls, payouts } = claimed;
  const refusal = answer.kind === 'rejected' ? await judgeRefusal(dependencies, claimed, answer) : {};
  const call = { ...claimed.call, outcome: { ...outcomeOf(answer, payouts), ...refusal.marks } };
  await ledger.recordCallOutcome(call, call.outcome);
  const all = async (policyOf: PolicyOf, atOnce?: number): Promise<ClaimedCall> => {
    return { call, calls, payouts: await applyAll(dependencies, payouts, policyOf, atOnce) };
  };
  switch (answer.kind) {
    case 'answered': {
      const shown = byReference(answer.disbursements);
      const settled = await all(({ reference }) => adoptOrLose(call, shown.get(reference)));
      const [currency] = payouts.map(({ amount }) => amount.currency);
      if (shown.size > 0 && currency !== undefined) await ledger.forgetRefusals(call.batchId, currency);
      return settled;
    }
    case 'not_sent':
      return all(() => release(call));
    case 'rejected': {
      if (refusal.pauses !== undefined)
        await stopBatch(dependencies, call, batchTransitions.pause, refusal.pauses, refusal.changes);
      const unmade = await askTogether(dependencies, { ...claimed, call }, refusal, invocation);
      // One look confirms that nothing was made. What is not asked in time is left to Follow.
      return all(async (payout) => {
        const isUnmade = unmade.includes(payout);
        if (!isUnmade && invocation.remainingMs() < questionMarginMs) return leave;
        const evidence = isUnmade ? ({ kind: 'absent' } as const) : await inspect(provider, payout);
        return resolve(evidence, { call, calls }, { ...settings, ...provider.traits }, clock());
      }, questionsAtOnce);
    }
    case 'halted':
      await stopBatch(dependencies, call, batchTransitions.halt, credentialsRefused);
      log.alarm('BatchHalted', { batchId: call.batchId, chunk: call.chunk });
      return { call, calls, payouts };
    case 'unknown':
      return all(() => loseSight(call));
  }
};

/** Rows of a refused call that are sooner looked up one by one. */
const few = 3;

/**
 * Rows of a refused call that the list shows as not made. Asked for those that go out again in halves, under references that are used
 * once: what a list hides is then refused. "The reference is taken" wants a look at what has taken it.
 */
const askTogether = async (
  { provider }: RecordCallAnswerDependencies,
  { call, calls, payouts }: ClaimedCall,
  { pauses }: Refusal,
  { remainingMs }: Invocation,
): Promise<readonly Payout[]> => {
  const isTaken = call.outcome?.kind === 'rejected' && call.outcome.isTaken === true;
  if (isTaken || pauses !== undefined || provider.traits.fiatReferenceUniqueHours === 0) return [];
  const again = payouts.filter((payout) => payout.rail === 'fiat' && isRefusedForSure(payout, { call, calls }));
  if (again.length <= few) return [];
  const hasTime = (): boolean => remainingMs() >= questionMarginMs;
  return unmadeSince({ provider, since: call.claimedAt, hasTime }, again);
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

const wordsOf = ({ payouts }: ClaimedCall, message: string): string =>
  refusalWords(
    message,
    payouts.map(({ reference }) => reference),
  );

/** Whether the row was refused alone in these words before. */
const isRefusedAgain = (claimed: ClaimedCall, words: string): boolean =>
  claimed.calls.some(
    ({ rows, outcome }) =>
      rows.length === 1 &&
      rows[0] === claimed.call.rows[0] &&
      outcome?.kind === 'rejected' &&
      wordsOf(claimed, outcome.message) === words,
  );

interface Refusal {
  /** Of the call's outcome: a row that was alone in it is tried once more before it is held to be at fault. */
  readonly marks?: { readonly isUnconfirmed: true };
  /** Why it pauses the batch: it is about all of it. */
  readonly pauses?: Reason;
  readonly changes?: Pick<BatchChanges, 'refusedWords'>;
}

/**
 * Whether a refusal is about its rows or about all: the balance is too low, or so many rows in a row were refused in equal
 * words. Counts it before the outcome is written, which says what follows from it whoever reads it.
 */
const judgeRefusal = async (
  { ledger, settings }: RecordCallAnswerDependencies,
  claimed: ClaimedCall,
  { message, isTaken, isBalanceTooLow }: Extract<SubmitAnswer, { readonly kind: 'rejected' }>,
): Promise<Refusal> => {
  const { call, payouts, acknowledgedWords = [] } = claimed;
  // It concerns the batch: rejected one by one, its rows would be lost to it.
  if (isBalanceTooLow) return { pauses: balanceTooLow };
  const words = wordsOf(claimed, message);
  const [currency] = payouts.map(({ amount }) => amount.currency);
  // "The reference is taken" is about a row, and ends none.
  if (isTaken || acknowledgedWords.includes(words) || currency === undefined) return {};
  const isAlone = call.rows.length === 1;
  const marks = { isUnconfirmed: true } as const;
  if (concernAllRows(await ledger.countRefusal({ batchId: call.batchId, currency, words }, call), settings))
    return { ...(isAlone ? { marks } : {}), pauses: refusedAlike(message), changes: { refusedWords: words } };
  return isAlone && !isRefusedAgain(claimed, words) ? { marks } : {};
};

const refusedAlike = (message: string): Reason => ({
  code: 'refused_alike',
  message:
    `The provider refused one after another in equal words: "${message}". No row was rejected for it. Mend it, or ask the ` +
    'provider; then resume. Rows that it refuses in these words after that are rejected.',
});

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
  changes: Pick<BatchChanges, 'refusedWords'> = {},
): Promise<void> => {
  await ledger.moveBatch(batchId, transition, 'system', { reason, resumeTo: 'processing', ...changes }, reason.code);
};
