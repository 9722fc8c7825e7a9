import type { Call } from '../domain/chunk.ts';
import type { Payout } from '../domain/payout.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import { payoutStatusIs } from '../domain/payout-status.ts';
import { absenceIsDueAt } from '../domain/polling.ts';
import { meaningOfRejection } from '../domain/rejection.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Move, Policy } from './decide.ts';
import { follow, quarantineBecause } from './decide.ts';
import type { Evidence } from './evidence.ts';

export type ResolveSettings = Pick<OrchestratorSettings, 'fiatReferenceUnique' | 'resolveAfterSeconds'>;

/**
 * Proofs of absence before a payout is believed not to exist. A call refused with 400 made nothing by the service's own word:
 * one look confirms it. Of every other call less is known, and a look-up may lag behind a creation: three looks.
 */
const absencesNeeded = ({ outcome }: Call): number => (outcome?.kind === 'rejected' ? 1 : 3);

/** Whether a payout of this call is still in doubt: claimed by it, and no answer tells what became of it. */
export const isInDoubt = (payout: Payout, { k }: Pick<Call, 'k'>): boolean =>
  payout.call === k && payoutStatusIs(payout.status, 'isInDoubt');

/**
 * Milliseconds since 1970 from which the provider may be asked about a payout of this call. The service's own word that it
 * made nothing needs no waiting. Otherwise no function that could still post may be alive, and proofs of absence come over
 * growing intervals.
 */
export const askableFrom = (payout: Payout, call: Call, settings: ResolveSettings): number => {
  const { outcome, claimedAt } = call;
  if (outcome?.kind === 'rejected' || outcome?.kind === 'not_sent') return Date.parse(claimedAt);
  return absenceIsDueAt(payout, claimedAt, settings);
};

/** What a payout proven absent comes to. */
const settleAbsent = (payout: Payout, call: Call, { fiatReferenceUnique }: ResolveSettings): Move => {
  const again: Move = {
    kind: 'move',
    transition: payoutTransitions.provenAbsent,
    changes: { absences: 0 },
    call: call.k,
  };
  const { outcome } = call;
  if (outcome?.kind === 'rejected') {
    // A row alone in a refused call is the row at fault, unless the refusal was about the balance.
    if (call.rows.length > 1 || meaningOfRejection(outcome.message) === 'insufficient_balance') return again;
    const reason = { code: 'provider_rejected', message: `The provider refused it: ${outcome.message}` };
    return { kind: 'move', transition: payoutTransitions.reject, changes: { reason }, call: call.k };
  }
  if (outcome?.kind === 'accepted')
    return quarantineBecause(
      'accepted_but_not_found',
      'The provider accepted the call and does not know the reference. It cannot be submitted again safely.',
      call.k,
    );
  // Refused credentials were refused before any work; everything else may have been a payment that no look-up shows.
  if (outcome?.kind === 'halted' || (payout.rail === 'fiat' && fiatReferenceUnique)) return again;
  return quarantineBecause(
    'absent_but_not_repeatable',
    'The call was never answered and the provider does not know the reference. It cannot be submitted again safely.',
    call.k,
  );
};

/**
 * Ends the doubt about a payout of a call, by what the provider said when asked. Absent only counts when a proof is due: a
 * step that is run again at once would otherwise hear the same word twice.
 *
 * @param nowMs milliseconds since 1970
 */
export const resolve =
  (evidence: Evidence, call: Call, settings: ResolveSettings, nowMs: number): Policy =>
  (payout) => {
    if (evidence.kind !== 'absent') return follow(evidence)(payout);
    if (!isInDoubt(payout, call)) return undefined;
    if ((payout.absences ?? 0) >= absencesNeeded(call)) return settleAbsent(payout, call, settings);
    return nowMs >= askableFrom(payout, call, settings) ? { kind: 'count_absence' } : undefined;
  };

/** A call that never left gives its payouts back. */
export const release =
  (call: Pick<Call, 'k'>): Policy =>
  ({ status }) =>
    status === 'submitting' ? { kind: 'move', transition: payoutTransitions.release, call: call.k } : undefined;
