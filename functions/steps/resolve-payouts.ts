import type { Call, CallOutcome } from '../domain/chunk.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import { lookUpPayout } from '../domain/look-up-payout.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import { meaningOfRejection } from '../domain/rejection.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock, Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { PaymentProvider } from '../ports/provider.ts';

export interface ResolvePayoutsDependencies {
  readonly ledger: Pick<PayoutLedger, 'readChunk' | 'movePayout' | 'recordContradiction' | 'countAbsence'>;
  readonly provider: Pick<PaymentProvider, 'lookUp' | 'listByReference'>;
  readonly settings: Pick<OrchestratorSettings, 'fiatReferenceUnique' | 'resolveAfterSeconds'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Proofs of absence needed before a payout may be believed not to exist. A call the service refused with 400 made
 * nothing by its own word: one look confirms it. Of every other call less is known (a 401 may be a gateway's), and a
 * lookup may lag behind a creation: three looks over a growing interval.
 */
const absencesNeeded = (outcome: CallOutcome | undefined): number => (outcome?.kind === 'rejected' ? 1 : 3);

/**
 * Whether the last proof of absence is so young that another one would say the same again: a step that failed after it had
 * counted is run again within seconds, and what is looked for may only be late.
 */
const isCountedJustNow = (
  { absences = 0, updatedAt }: Payout,
  { clock, settings }: ResolvePayoutsDependencies,
): boolean => absences > 0 && clock() - Date.parse(updatedAt) < settings.resolveAfterSeconds * 1000;

/** Looks every payout up that is `submitting` or `unknown` and was last claimed by this call. */
export const resolvePayouts = async (
  dependencies: ResolvePayoutsDependencies,
  { batchId, chunk, k }: Pick<Call, 'batchId' | 'chunk' | 'k'>,
): Promise<void> => {
  const { payouts, calls } = await dependencies.ledger.readChunk(batchId, chunk);
  const call = calls.find((candidate) => candidate.k === k);
  if (call === undefined)
    throw new InvariantBroken(`call ${k} of chunk ${chunk} of batch ${batchId} is not in the ledger`);
  const inDoubt = payouts.filter(
    (payout) => payout.call === k && (payout.status === 'submitting' || payout.status === 'unknown'),
  );
  await inParallel(inDoubt, 8, (payout) => resolvePayout(dependencies, call, payout));
};

const resolvePayout = async (dependencies: ResolvePayoutsDependencies, call: Call, payout: Payout): Promise<void> => {
  const { ledger, log } = dependencies;
  if (call.outcome?.kind === 'not_sent' && payout.status === 'submitting') {
    await ledger.movePayout(payout, payoutTransitions.release, {}, { call: call.k });
    return;
  }
  const lookup = await lookUpPayout(dependencies.provider, payout);
  switch (lookup.kind) {
    case 'found':
      await observePayout({ ledger, log }, payout, lookup.disbursement);
      return;
    case 'several':
      await quarantine(
        dependencies,
        call,
        payout,
        'several_disbursements',
        'The provider holds more than one disbursement with this reference.',
      );
      return;
    case 'absent': {
      if (isCountedJustNow(payout, dependencies)) return;
      const counted = await ledger.countAbsence(payout);
      if (counted.kind !== 'moved' || (counted.payout.absences ?? 0) < absencesNeeded(call.outcome)) return;
      await settleAbsent(dependencies, call, counted.payout);
      return;
    }
    case 'unknown':
      log.warn('payout.lookup_unknown', {
        batchId: payout.batchId,
        chunk: payout.chunk,
        row: payout.row,
        cause: lookup.cause,
      });
  }
};

const settleAbsent = async (dependencies: ResolvePayoutsDependencies, call: Call, payout: Payout): Promise<void> => {
  const { ledger, settings } = dependencies;
  if (call.outcome?.kind === 'rejected') {
    // A row alone in a refused call is the row at fault, unless the refusal was about the balance.
    if (call.rows.length > 1 || meaningOfRejection(call.outcome.message) === 'insufficient_balance') {
      await ledger.movePayout(payout, payoutTransitions.provenAbsent, { absences: 0 }, { call: call.k });
      return;
    }
    const reason = { code: 'provider_rejected', message: `The provider refused it: ${call.outcome.message}` };
    await ledger.movePayout(payout, payoutTransitions.reject, { reason }, { call: call.k });
    return;
  }
  // Refused credentials were refused before any work; everything else may have been a payment that no lookup shows.
  const mayBeSubmittedAgain =
    call.outcome?.kind === 'halted' || (payout.rail === 'fiat' && settings.fiatReferenceUnique);
  if (mayBeSubmittedAgain) {
    await ledger.movePayout(payout, payoutTransitions.provenAbsent, { absences: 0 }, { call: call.k });
    return;
  }
  await quarantine(
    dependencies,
    call,
    payout,
    'absent_but_not_repeatable',
    'The call was never answered and the provider does not know the reference. It cannot be submitted again safely.',
  );
};

const quarantine = async (
  { ledger, log }: ResolvePayoutsDependencies,
  { k }: Call,
  payout: Payout,
  code: string,
  message: string,
): Promise<void> => {
  const { batchId, chunk, row } = payout;
  const moved = await ledger.movePayout(
    payout,
    payoutTransitions.quarantine,
    { reason: { code, message } },
    { call: k },
  );
  if (moved.kind === 'moved') log.alarm('PayoutQuarantined', { batchId, chunk, row, code });
};
