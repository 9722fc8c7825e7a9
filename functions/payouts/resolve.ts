import type { Call, CallOutcome } from '../domain/batch/chunk.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { PayoutTransition } from '../domain/payout/payout-status.ts';
import { payoutStatusIs, payoutTransitions } from '../domain/payout/payout-status.ts';
import { absenceIsDueAt } from '../domain/payout/polling.ts';
import { originalNotRetryable } from '../domain/payout/retries.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import { absenceProofsSeconds } from '../domain/settings.ts';
import type { ProviderTraits } from '../ports/provider.ts';
import type { Move, Policy } from './decide.ts';
import { follow, quarantineBecause } from './decide.ts';
import type { Evidence } from './evidence.ts';

/** What decides whether a payout in doubt may be submitted again, and when it may be asked about. */
export type ResolveTerms = Pick<OrchestratorSettings, 'resolveAfterSeconds'> &
  Pick<ProviderTraits, 'fiatReferenceUniqueHours'>;

/** A call of which something is in doubt, and all calls of its chunk: those before it may be in doubt as well. */
export interface Doubt {
  readonly call: Call;
  readonly calls: readonly Call[];
}

/** Whether a call made nothing for sure: it never left, or the service says so itself. */
const madeNothing = ({ outcome }: Pick<Call, 'outcome'>): boolean =>
  outcome?.kind === 'not_sent' ||
  outcome?.kind === 'rejected' ||
  (outcome?.kind === 'halted' && outcome.madeNothing === true);

/** Those of these calls that may have made the payout. */
export const callsThatMayHaveMade = (calls: readonly Call[], { row }: Pick<Payout, 'row'>): readonly Call[] =>
  calls.filter((call) => call.rows.includes(row) && !madeNothing(call));

const mayBeMadeBy = (calls: readonly Call[], payout: Payout): boolean => callsThatMayHaveMade(calls, payout).length > 0;

const hourMs = 3_600_000;

/**
 * Whether a payout may be submitted now: nothing was made of it, or the provider still refuses its reference if something was.
 * A reference that is not unique for ever is so from its first use, which is no earlier than the first call that may have made it.
 * What is posted now is carried out before three proofs of absence could be had, or never.
 *
 * @param calls every call of its chunk
 */
export const mayBeSubmitted = (
  payout: Payout,
  calls: readonly Call[],
  { fiatReferenceUniqueHours: hours, resolveAfterSeconds }: ResolveTerms,
  nowMs: number,
): boolean => {
  const since = callsThatMayHaveMade(calls, payout).map(({ claimedAt }) => Date.parse(claimedAt));
  if (since.length === 0) return true;
  if (payout.rail !== 'fiat') return false;
  const byMs = nowMs + absenceProofsSeconds(resolveAfterSeconds) * 1000;
  return hours === 'forever' || byMs < Math.min(...since) + hours * hourMs;
};

/**
 * Whether the payout is refused and nothing was ever made of it. A 400 says that its own call made nothing, never that no
 * other one did. And "the reference is taken", said of a row alone, says that something was made.
 */
export const isRefusedForSure = (payout: Payout, { call, calls }: Doubt): boolean => {
  const { outcome, rows } = call;
  if (outcome?.kind !== 'rejected') return false;
  if (rows.length === 1 && outcome.isTaken) return false;
  return !mayBeMadeBy(calls, payout);
};

/** Proofs of absence before a payout is believed not to exist where nothing else says so: a look-up may lag behind a creation. */
const absencesNeeded = 3;

/** Whether a payout of this call is still in doubt: claimed by it, and no answer tells what became of it. */
export const isInDoubt = (payout: Payout, { k }: Pick<Call, 'k'>): boolean =>
  payout.call === k && payoutStatusIs(payout.status, 'isInDoubt');

/**
 * Milliseconds since 1970 from which the provider may be asked about a payout of this call. The service's own word that it
 * made nothing needs no waiting. Otherwise no function that could still post may be alive, and proofs of absence come over
 * growing intervals.
 */
export const lookupAllowedFrom = (
  payout: Payout,
  doubt: Doubt,
  terms: Pick<ResolveTerms, 'resolveAfterSeconds'>,
): number => {
  const { outcome, claimedAt } = doubt.call;
  if (outcome?.kind === 'not_sent' || isRefusedForSure(payout, doubt)) return Date.parse(claimedAt);
  return absenceIsDueAt(payout, claimedAt, terms);
};

const rejectBecause = (said: string, call: number): Move => {
  const reason = { code: 'provider_rejected', message: `The provider refused it: ${said}`, providerText: said };
  return { kind: 'move', transition: payoutTransitions.reject, changes: { reason }, call };
};

/** Whether the call refused a row alone in words that may be about more than the row. */
export const isUnconfirmed = (
  call: Call | undefined,
): call is Call & { readonly outcome: Extract<CallOutcome, { readonly kind: 'rejected' }> } =>
  call?.outcome?.kind === 'rejected' && call.outcome.isUnconfirmed === true;

/**
 * Rejects a row whose refusal was not confirmed, once a later call of its chunk was accepted: the provider pays, so the row is
 * at fault.
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
  message: 'A call may have made it and the provider does not know the reference. It cannot be submitted again safely.',
};

/** What a payout proven absent comes to. */
const settleAbsent = (payout: Payout, doubt: Doubt, terms: ResolveTerms, nowMs: number): Move => {
  const { call, calls } = doubt;
  const { k, rows, outcome } = call;
  const again: Move = { kind: 'move', transition: payoutTransitions.provenAbsent, call: k };
  const isRefused = isRefusedForSure(payout, doubt);
  const isAlone = outcome?.kind === 'rejected' && rows.length === 1 && !isUnconfirmed(doubt.call);
  // A row alone in a refused call is the row at fault, unless the refusal was about the balance.
  if (isAlone && outcome.isBalanceTooLow !== true) {
    const { message: said } = outcome;
    if (!isRefused)
      return quarantineBecause(
        'refused_but_may_exist',
        `The provider refused it, and may have made it earlier: ${said}`,
        k,
      );
    return rejectBecause(said, k);
  }
  if (outcome?.kind === 'accepted')
    return quarantineBecause(
      'accepted_but_not_found',
      'The provider accepted the call and does not know the reference. It cannot be submitted again safely.',
      k,
    );
  // What may have been made, and no look-up shows, only a reference that is used once keeps from being made twice.
  if (mayBeSubmitted(payout, [...calls, call], terms, nowMs)) return again;
  return quarantineBecause(notRepeatable.code, notRepeatable.message, k);
};

/**
 * Keeps what may no longer be submitted again for a person: it went back to be submitted while its reference was refused, and
 * a pause or an outage outlasted that.
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
 * Ends the doubt about a payout of a call, by what the provider said when asked. Absent only counts when a proof is due: a
 * step that is run again at once would otherwise hear the same word twice.
 *
 * @param nowMs milliseconds since 1970
 */
export const resolve =
  (evidence: Evidence, doubt: Doubt, terms: ResolveTerms, nowMs: number): Policy =>
  (payout) => {
    if (evidence.kind !== 'absent') return follow(evidence)(payout);
    if (!isInDoubt(payout, doubt.call)) return undefined;
    // Where the service says that it made nothing, this one look confirms it.
    if (isRefusedForSure(payout, doubt) || (payout.absences ?? 0) >= absencesNeeded)
      return settleAbsent(payout, doubt, terms, nowMs);
    return nowMs >= lookupAllowedFrom(payout, doubt, terms) ? { kind: 'count_absence' } : undefined;
  };

const whileSubmitting =
  (transition: PayoutTransition) =>
  ({ k }: Pick<Call, 'k'>): Policy =>
  ({ status }) =>
    status === 'submitting' ? { kind: 'move', transition, call: k } : undefined;

/** A call that never left gives its payouts back. */
export const release = whileSubmitting(payoutTransitions.release);
/** No answer tells what became of a call that left. */
export const loseSight = whileSubmitting(payoutTransitions.loseSight);

/** Ends a retry whose original must not be tried again. A person decides of one that a call may have made. */
export const refuseRetry =
  (calls: readonly Call[], message: string): Policy =>
  (payout) => {
    if (payout.status !== 'ready') return undefined;
    const { reject, quarantineUnposted } = payoutTransitions;
    const transition = mayBeMadeBy(calls, payout) ? quarantineUnposted : reject;
    return { kind: 'move', transition, changes: { reason: { code: originalNotRetryable, message } } };
  };

/**
 * A canceled batch ends what it has not submitted. Not so a row that went back to be submitted again: three absences are
 * enough to send it under a reference that is used once, and prove no more.
 *
 * @param calls every call of its chunk
 */
export const cancel =
  (calls: readonly Call[]): Policy =>
  (payout) => {
    if (payout.status !== 'ready') return undefined;
    if (mayBeMadeBy(calls, payout)) {
      const message = 'The batch was canceled, and a call that was never answered may have made the payout.';
      const reason = { code: 'canceled_but_may_exist', message };
      return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason } };
    }
    const reason = { code: 'batch_canceled', message: 'The batch was canceled before the payout was submitted.' };
    return { kind: 'move', transition: payoutTransitions.cancelUnclaimed, changes: { reason } };
  };
