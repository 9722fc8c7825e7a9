import type { Batch } from '../../domain/batch/batch.ts';
import type { BatchTransition } from '../../domain/batch/batch-status.ts';
import { batchTransitions, credentialsRefused } from '../../domain/batch/batch-status.ts';
import type { Call, CallOutcome } from '../../domain/batch/chunk.ts';
import { concernAllRows, refusalFingerprint } from '../../domain/payout/equal-refusals.ts';
import type { Payout, Reason } from '../../domain/payout/payout.ts';
import type { ApplyDependencies, PolicyOf } from '../../payouts/apply.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Doubt } from '../../payouts/decide-by-calls.ts';
import {
  isConfirmedByOneLook,
  isRefusedForSure,
  loseSight,
  resolve,
  returnClaim,
} from '../../payouts/decide-by-calls.ts';
import type { Policy } from '../../payouts/decide-by-evidence.ts';
import { followOne, leave } from '../../payouts/decide-by-evidence.ts';
import type { LookupProvider } from '../../payouts/inspect.ts';
import { inspect } from '../../payouts/inspect.ts';
import { unmadeSince } from '../../payouts/made-since.ts';
import type { BatchChanges } from '../../ports/ledger/batch-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import type { Disbursement, SubmitAnswer } from '../../ports/provider.ts';
import type { Invocation } from '../as-step.ts';

export type RecordCallAnswerDependencies = ApplyDependencies &
  Needs<
    {
      ledger: 'recordCallOutcome' | 'moveBatch' | 'countRefusal' | 'forgetRefusals';
      provider: keyof LookupProvider | 'listDisbursements' | 'pageSize';
      settings: 'resolveAfterSeconds' | 'equalRefusals';
    },
    'clock'
  >;

/** A claimed call, the earlier calls of its chunk, and its payouts after the claim. */
interface ClaimedCall extends Doubt {
  readonly payouts: readonly Payout[];
  /** Fingerprints of refusals that a person has seen. A row refused in such words is at fault. */
  readonly acknowledgedRefusals?: readonly string[] | undefined;
}

const concurrentLookups = 8;
/** Milliseconds reserved for one lookup and its write. With less time left, the rest is left to Follow. */
const lookupMarginMs = 8_000;

/**
 * Records the answer to a call: first its outcome, then each payout. Only the counting of a refusal comes earlier. A crash in
 * between leaves payouts `submitting`, and Follow resolves them by the call's outcome and the provider's answers. Returns the
 * call with its outcome, and its latest payouts.
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
  // When a person has resumed the batch since the claim, the cause may be corrected by now. If it is not, the next call shows it.
  const unlessResumed = { enteredNoLaterThan: call.claimedAt };
  const all = async (policyOf: PolicyOf, concurrency?: number): Promise<ClaimedCall> => {
    return { call, calls, payouts: await applyAll(dependencies, payouts, policyOf, concurrency) };
  };
  switch (answer.kind) {
    case 'answered': {
      const shown = Map.groupBy(answer.disbursements, ({ reference }) => reference);
      const updated = await all(({ reference }) => adoptOrLose(call, shown.get(reference)));
      const currency = payouts[0]?.amount.currency;
      if (shown.size > 0 && currency !== undefined) await ledger.forgetRefusals(call.batchId, currency);
      return updated;
    }
    case 'not_sent':
      return all(() => returnClaim(call));
    case 'rejected': {
      if (refusal.pauses !== undefined) {
        const changes = { ...refusal.changes, ...unlessResumed };
        await stopBatch(dependencies, call, batchTransitions.pause, refusal.pauses, changes);
      }
      const unmade = await askTogether(dependencies, { ...claimed, call }, refusal, invocation);
      const doubt = { call, calls };
      // One lookup confirms that nothing was made. Follow looks up rows that need more proof, and the rest when time runs out.
      const needsMoreProof = (payout: Payout): boolean =>
        isRefusedForSure(payout, doubt) && !isConfirmedByOneLook(payout, doubt, provider.traits);
      return all(async (payout) => {
        const isUnmade = unmade.includes(payout);
        if (!isUnmade && (needsMoreProof(payout) || invocation.remainingMs() < lookupMarginMs)) return leave;
        const evidence = isUnmade ? ({ kind: 'absent' } as const) : await inspect(provider, payout);
        return resolve(evidence, doubt, { ...settings, ...provider.traits }, clock());
      }, concurrentLookups);
    }
    case 'halted': {
      const stopped = await stopBatch(dependencies, call, batchTransitions.halt, credentialsRefused, unlessResumed);
      if (stopped.status === 'paused') log.alarm('BatchHalted', { batchId: call.batchId, chunk: call.chunk });
      return { call, calls, payouts };
    }
    case 'unknown':
      return all(() => loseSight(call));
  }
};

/** The most rows of a refused call for which single lookups are cheaper than the list. */
const mostSingly = 3;

/**
 * Returns the rows of a refused call that the list shows as not made. Used only for rows that go out again in halves, under
 * references that can be used once. If the list hides a payout, its second POST is refused. When "the reference is taken",
 * the payout that has taken it must be looked up.
 */
const askTogether = async (
  { provider }: RecordCallAnswerDependencies,
  { call, calls, payouts }: ClaimedCall,
  { pauses }: Refusal,
  { remainingMs }: Invocation,
): Promise<readonly Payout[]> => {
  const isTaken = call.outcome?.kind === 'rejected' && call.outcome.isTaken === true;
  if (isTaken || pauses !== undefined) return [];
  const again = payouts.filter((payout) => isConfirmedByOneLook(payout, { call, calls }, provider.traits));
  if (again.length <= mostSingly) return [];
  const hasTime = (): boolean => remainingMs() >= lookupMarginMs;
  return unmadeSince({ provider, since: call.claimedAt, hasTime }, again);
};

const outcomeOf = (answer: SubmitAnswer, payouts: readonly Payout[]): CallOutcome => {
  if (answer.kind === 'not_sent') return { kind: 'not_sent' };
  if (answer.kind !== 'answered') return answer;
  const found = Map.groupBy(answer.disbursements, ({ reference }) => reference);
  const isWhole = payouts.every(({ reference }) => found.get(reference)?.length === 1);
  if (!isWhole) return { kind: 'unknown', cause: 'items_missing' };
  if (answer.disbursements.length !== payouts.length) return { kind: 'unknown', cause: 'items_unexpected' };
  return { kind: 'accepted' };
};

/**
 * A payout named in the answer takes its disbursement, if that fits. A second disbursement with its reference is recorded
 * immediately, because a later lookup would show only one of them.
 */
const adoptOrLose = (call: Call, [first, ...others]: readonly Disbursement[] = []): Policy =>
  first === undefined ? loseSight(call) : followOne(first, others);

const fingerprintOf = ({ payouts }: ClaimedCall, message: string): string =>
  refusalFingerprint(
    message,
    payouts.map(({ reference }) => reference),
  );

/** True when the row was already refused alone in words with this fingerprint. */
const isRefusedAgain = (claimed: ClaimedCall, fingerprint: string): boolean =>
  claimed.calls.some(
    ({ rows, outcome }) =>
      rows.length === 1 &&
      rows[0] === claimed.call.rows[0] &&
      outcome?.kind === 'rejected' &&
      fingerprintOf(claimed, outcome.message) === fingerprint,
  );

interface Refusal {
  /** Set on the outcome of a call with a single row: the row is tried once more before it counts as at fault. */
  readonly marks?: { readonly isUnconfirmed: true };
  /** Why the refusal pauses the batch; undefined when it concerns only the call's rows. */
  readonly pauses?: Reason;
  readonly changes?: Pick<BatchChanges, 'refusedWords'>;
}

type Rejected = Extract<SubmitAnswer, { readonly kind: 'rejected' }>;

/**
 * Decides whether a refusal concerns its rows or the whole batch: the balance is too low, or many consecutive rows were refused
 * in equal words. Counts a refusal that may concern more than its rows. Comes before the outcome is written, so that the outcome
 * shows every reader what follows.
 */
const judgeRefusal = async (
  { ledger, settings }: RecordCallAnswerDependencies,
  claimed: ClaimedCall,
  { message, isTaken, isBalanceTooLow }: Rejected,
): Promise<Refusal> => {
  // A low balance concerns the whole batch. Rejecting rows one by one would lose them.
  if (isBalanceTooLow) return { pauses: balanceTooLow };
  const { call, payouts, acknowledgedRefusals = [] } = claimed;
  const fingerprint = fingerprintOf(claimed, message);
  const currency = payouts[0]?.amount.currency;
  // "The reference is taken" concerns one row, and rejects none.
  if (isTaken || acknowledgedRefusals.includes(fingerprint) || currency === undefined) return {};
  const counted = await ledger.countRefusal({ batchId: call.batchId, currency, fingerprint }, call);
  const isAlone = call.rows.length === 1;
  const marks = { isUnconfirmed: true } as const;
  if (concernAllRows(counted, settings))
    return { ...(isAlone ? { marks } : {}), pauses: refusedAlike(message), changes: { refusedWords: fingerprint } };
  return isAlone && !isRefusedAgain(claimed, fingerprint) ? { marks } : {};
};

const refusedAlike = (message: string): Reason => ({
  code: 'refused_alike',
  message:
    `The provider refused several consecutive rows with the same text: "${message}". No row was rejected for it. Correct the cause, ` +
    'or ask the provider. Then resume. Rows that it refuses with this text after that are rejected.',
});

const balanceTooLow: Reason = {
  code: 'insufficient_balance',
  message: 'The provider refused a call because the balance is too low. Top it up, then resume.',
};

/** Pauses a submitting batch. Changes nothing when the batch has already stopped or ended. Returns the batch. */
export const stopBatch = async (
  { ledger }: Needs<{ ledger: 'moveBatch' }>,
  { batchId }: Pick<Call, 'batchId'>,
  transition: BatchTransition,
  reason: Reason,
  changes: Pick<BatchChanges, 'refusedWords' | 'enteredNoLaterThan'> = {},
): Promise<Batch> => {
  const changed = { reason, resumeTo: 'processing', ...changes } as const;
  return (await ledger.moveBatch(batchId, transition, 'system', changed, { detail: reason.code })).batch;
};
