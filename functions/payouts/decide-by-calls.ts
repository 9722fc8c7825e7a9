import type { Call, RefusedCall } from '../domain/batch/chunk.ts';
import { isRefusedForItsRows } from '../domain/batch/chunk.ts';
import { hourMs } from '../domain/durations.ts';
import { refusalFingerprint } from '../domain/payout/equal-refusals.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { PayoutTransition } from '../domain/payout/payout-status.ts';
import { payoutStatusIs, payoutTransitions } from '../domain/payout/payout-status.ts';
import { absenceIsDueAt } from '../domain/payout/polling.ts';
import { originalNotRetryable } from '../domain/payout/retries.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import { absenceProofsSeconds } from '../domain/settings.ts';
import type { ProviderTraits } from '../ports/provider.ts';
import { isReusable } from '../ports/provider.ts';
import type { Move, Policy } from './decide-by-evidence.ts';
import { follow, quarantineBecause } from './decide-by-evidence.ts';
import type { Evidence } from './evidence.ts';

/** Settings that decide whether a payout in doubt may be submitted again, and when it may be looked up. */
type ResolveTerms = Pick<OrchestratorSettings, 'resolveAfterSeconds'> & Pick<ProviderTraits, 'rails'>;

/** A call whose payouts are in doubt. `calls` has at least its chunk's earlier ones: one may have made the same payouts. */
export interface Doubt {
  readonly call: Call;
  readonly calls: readonly Call[];
}

/** True when a call surely made nothing: it was never sent, or the service itself reports so. */
const madeNothing = ({ outcome }: Pick<Call, 'outcome'>): boolean =>
  outcome?.kind === 'not_sent' ||
  outcome?.kind === 'rejected' ||
  (outcome?.kind === 'halted' && outcome.madeNothing === true);

/** Returns the calls that may have made the payout. */
export const callsThatMayHaveMade = (calls: readonly Call[], { row }: Pick<Payout, 'row'>): readonly Call[] =>
  calls.filter((call) => call.rows.includes(row) && !madeNothing(call));

const mayBeMadeBy = (calls: readonly Call[], payout: Payout): boolean => callsThatMayHaveMade(calls, payout).length > 0;

/**
 * True when a payout may be submitted now: nothing was made for it yet, or the provider still refuses a second use of its
 * reference. The provider may keep references unique for some hours only. They count from the first use, which is no earlier
 * than the first call that may have made the payout. A POST made now is carried out within the time of three proofs of absence,
 * or never. So the hours must last at least that long.
 *
 * @param calls every call of its chunk
 */
const mayBeSubmitted = (
  payout: Payout,
  calls: readonly Call[],
  { rails, resolveAfterSeconds }: ResolveTerms,
  nowMs: number,
): boolean => {
  const since = callsThatMayHaveMade(calls, payout).map(({ claimedAt }) => Date.parse(claimedAt));
  if (since.length === 0) return true;
  const { referenceUniqueHours: hours } = rails[payout.rail];
  if (hours === 0) return false;
  const byMs = nowMs + absenceProofsSeconds(resolveAfterSeconds) * 1000;
  return hours === 'forever' || byMs < Math.min(...since) + hours * hourMs;
};

/**
 * True when the payout was refused and no call ever made anything for it. A 400 shows only that its own call made nothing. And
 * "the reference is taken", as the answer about a single row, shows that something was made.
 */
export const isRefusedForSure = (payout: Payout, { call, calls }: Doubt): boolean => {
  const { outcome, rows } = call;
  if (outcome?.kind !== 'rejected') return false;
  if (rows.length === 1 && outcome.isTaken) return false;
  return !mayBeMadeBy(calls, payout);
};

/**
 * True when a row is refused alone, and its largest refused call with others had other words, or the balance was too low for one
 * of those. The provider may mean that the reference is used: it may have made the row before it refused the others, or before
 * the balance ran out. Only for the first such refusal: for the next one look is enough, because the row was posted with no
 * others since.
 */
const isRefusedOtherwise = ({ reference, row }: Payout, { call, calls }: Doubt): boolean => {
  if (!isRefusedForItsRows(call) || call.rows.length > 1) return false;
  const earlier = calls.filter(
    ({ k, rows, outcome }) => k < call.k && outcome?.kind === 'rejected' && rows.includes(row),
  );
  const { alone = [], together = [] } = Object.groupBy(earlier, ({ rows }) =>
    rows.length === 1 ? 'alone' : 'together',
  );
  const ofRows = together.filter(isRefusedForItsRows);
  const wasBalanceTooLow = ofRows.length < together.length;
  const most = Math.max(...ofRows.map(({ rows }) => rows.length));
  const largest = ofRows.findLast(({ rows }) => rows.length === most);
  const wordsOf = ({ outcome }: RefusedCall): string => refusalFingerprint(outcome.message, [reference]);
  const isOtherwise = (one: RefusedCall): boolean =>
    wasBalanceTooLow || (largest !== undefined && wordsOf(largest) !== wordsOf(one));
  const wasRefusedSoBefore = alone.filter(isRefusedForItsRows).some(isOtherwise);
  return isOtherwise(call) && !wasRefusedSoBefore;
};

/**
 * True when one look confirms that nothing was made: the call was refused for sure, and a second use of the reference could do no
 * harm. A provider may make some rows of a call before it refuses another, and show them later. So all proofs of absence are needed
 * where it accepts a used reference again, and for a row that would end although it may have been made before.
 */
export const isConfirmedByOneLook = (payout: Payout, doubt: Doubt, terms: Pick<ResolveTerms, 'rails'>): boolean =>
  isRefusedForSure(payout, doubt) &&
  !isRefusedOtherwise(payout, doubt) &&
  (doubt.call.rows.length === 1 || !isReusable(terms, payout.rail));

/**
 * Proofs of absence needed before a payout counts as not made, unless one look confirms it: a lookup may lag behind a creation.
 */
const absencesNeeded = 3;

/** True when this call claimed the payout and no answer shows its outcome. */
export const isInDoubt = (payout: Payout, { k }: Pick<Call, 'k'>): boolean =>
  payout.call === k && payoutStatusIs(payout.status, 'isInDoubt');

/**
 * Returns the time, in milliseconds since 1970, from which a payout of this call may be looked up. No wait is needed when
 * nothing was sent, or when one look confirms that nothing was made. Otherwise every function that could still post must be
 * dead, and proofs of absence come at growing intervals.
 */
export const lookupAllowedFrom = (payout: Payout, doubt: Doubt, terms: ResolveTerms): number => {
  const { outcome, claimedAt } = doubt.call;
  if (outcome?.kind === 'not_sent' || isConfirmedByOneLook(payout, doubt, terms)) return Date.parse(claimedAt);
  return absenceIsDueAt(payout, claimedAt, terms);
};

const rejectBecause = (providerText: string, call: number): Move => {
  const reason = { code: 'provider_rejected', message: `The provider refused it: ${providerText}`, providerText };
  return { kind: 'move', transition: payoutTransitions.reject, changes: { reason }, call };
};

/** True when the call had a single row and was refused with an error that may concern more than that row. */
export const isUnconfirmed = (call: Call | undefined): call is RefusedCall =>
  call?.outcome?.kind === 'rejected' && call.outcome.isUnconfirmed === true;

/**
 * Rejects a row whose refusal was unconfirmed, once a later call of its chunk was accepted. That shows that the provider pays,
 * so the row is at fault.
 *
 * @param calls every call of its chunk
 */
export const confirmRefusal =
  (calls: readonly Call[]): Policy =>
  (payout) => {
    const call = calls.find(({ k }) => k === payout.call);
    if (payout.status !== 'ready' || !isUnconfirmed(call)) return undefined;
    const isAccepted = calls.some(({ k, outcome }) => k > call.k && outcome?.kind === 'accepted');
    if (!isAccepted || !isRefusedForSure(payout, { call, calls })) return undefined;
    return rejectBecause(call.outcome.message, call.k);
  };

const notRepeatable = {
  code: 'absent_but_not_repeatable',
  message:
    'A call may have made it, but the provider does not know the reference. It cannot be submitted again safely.',
};

/** Decides about a payout that is proven absent. */
const resolveAbsent = (payout: Payout, doubt: Doubt, terms: ResolveTerms, nowMs: number): Move => {
  const { call, calls } = doubt;
  const { k, rows, outcome } = call;
  const again: Move = { kind: 'move', transition: payoutTransitions.provenAbsent, call: k };
  const isRefused = isRefusedForSure(payout, doubt);
  // When a call with a single row is refused, that row is at fault, unless the balance was too low.
  if (isRefusedForItsRows(call) && rows.length === 1 && !isUnconfirmed(doubt.call)) {
    const { message } = call.outcome;
    if (!isRefused)
      return quarantineBecause(
        'refused_but_may_exist',
        `The provider refused it, and may have made it earlier: ${message}`,
        k,
      );
    return rejectBecause(message, k);
  }
  if (outcome?.kind === 'accepted')
    return quarantineBecause(
      'accepted_but_not_found',
      'The provider accepted the call, but does not know the reference. It cannot be submitted again safely.',
      k,
    );
  // A lookup may miss a payout that was made. Only a reference that can be used once prevents paying it twice.
  if (mayBeSubmitted(payout, [...calls, call], terms, nowMs)) return again;
  return quarantineBecause(notRepeatable.code, notRepeatable.message, k);
};

/**
 * Quarantines a payout that may no longer be submitted again. It went back to be submitted while the provider still refused its
 * reference, and a pause or an outage outlasted that.
 *
 * @param calls every call of its chunk
 */
export const keepUnrepeatable =
  (calls: readonly Call[], terms: ResolveTerms, nowMs: number): Policy =>
  (payout) => {
    if (payout.status !== 'ready' || mayBeSubmitted(payout, calls, terms, nowMs)) return undefined;
    return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason: notRepeatable } };
  };

/**
 * Resolves a payout in doubt by the provider's answer. An absence counts only when a proof is due: otherwise a step that is
 * repeated immediately would count the same answer twice.
 *
 * @param nowMs milliseconds since 1970
 */
export const resolve =
  (evidence: Evidence, doubt: Doubt, terms: ResolveTerms, nowMs: number): Policy =>
  (payout) => {
    if (evidence.kind !== 'absent') return follow(evidence)(payout);
    if (!isInDoubt(payout, doubt.call)) return undefined;
    if (isConfirmedByOneLook(payout, doubt, terms) || (payout.absences ?? 0) >= absencesNeeded)
      return resolveAbsent(payout, doubt, terms, nowMs);
    return nowMs >= lookupAllowedFrom(payout, doubt, terms) ? { kind: 'count_absence' } : undefined;
  };

const whileSubmitting =
  (transition: PayoutTransition) =>
  ({ k }: Pick<Call, 'k'>): Policy =>
  ({ status }) =>
    status === 'submitting' ? { kind: 'move', transition, call: k } : undefined;

/** Gives back the payouts of a call that was never sent. */
export const returnClaim = whileSubmitting(payoutTransitions.returnClaim);
/** Marks the payouts of a call that was sent and whose outcome no answer shows. */
export const loseSight = whileSubmitting(payoutTransitions.loseSight);

/** Ends a retry whose original must not be paid again. If a call may have made the retry, a person decides. */
export const refuseRetry =
  (calls: readonly Call[], message: string): Policy =>
  (payout) => {
    if (payout.status !== 'ready') return undefined;
    const { reject, quarantineUnposted } = payoutTransitions;
    const transition = mayBeMadeBy(calls, payout) ? quarantineUnposted : reject;
    return { kind: 'move', transition, changes: { reason: { code: originalNotRetryable, message } } };
  };

/**
 * Ends the `ready` payouts of a canceled batch. A row that an earlier call may have made is quarantined. Three absences suffice
 * to send it again under a reference that can be used once, but they prove no more.
 *
 * @param calls every call of its chunk
 */
export const cancel =
  (calls: readonly Call[]): Policy =>
  (payout) => {
    if (payout.status !== 'ready') return undefined;
    if (mayBeMadeBy(calls, payout)) {
      const message = 'The batch was canceled, but an unanswered call may have made the payout.';
      const reason = { code: 'canceled_but_may_exist', message };
      return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason } };
    }
    const reason = { code: 'batch_canceled', message: 'The batch was canceled before the payout was submitted.' };
    return { kind: 'move', transition: payoutTransitions.cancelUnclaimed, changes: { reason } };
  };
