import type { PayoutChanges, PayoutLedger } from './ledger-port.ts';
import { compareAmounts } from './money.ts';
import type { Payout, Reason } from './payout.ts';
import type { Merge } from './payout-lifecycle.ts';
import { isEnd, mergeObservation, payoutTransitions } from './payout-lifecycle.ts';
import type { Disbursement } from './provider-port.ts';
import type { Log } from './surroundings.ts';

export interface ObservePayoutDependencies {
  readonly ledger: Pick<PayoutLedger, 'movePayout'>;
  readonly log: Log;
}

/**
 * A refused move is decided again from how the payout then stands. Only `pending` and `on_hold` go both ways, so more
 * than a few refusals in a row means two writers trade those; the next observation settles it.
 */
const attempts = 3;

/**
 * The first thing in which a disbursement contradicts the payout it is said to be, as a code; undefined when nothing
 * does. A disbursement without a reference is only believed when the ledger already knows its id: every payout is
 * posted with a reference, so another one without it is somebody else's.
 */
export const findContradiction = (payout: Payout, disbursement: Disbursement): string | undefined => {
  const known = payout.disbursementId === disbursement.disbursementId;
  if (payout.disbursementId !== undefined && !known) return 'another_disbursement';
  if (disbursement.reference === undefined ? !known : disbursement.reference !== payout.reference) {
    return 'reference_differs';
  }
  if (disbursement.rail !== payout.rail || disbursement.currency !== payout.currency) return 'currency_differs';
  if (compareAmounts(disbursement.amount, payout.amount) !== 0) return 'amount_differs';
  if (disbursement.destinationHash !== undefined && disbursement.destinationHash !== payout.destinationHash) {
    return 'destination_differs';
  }
  return undefined;
};

/** What an operator reads beside a status that the provider, not the orchestrator, decided. */
const reasonFor = (disbursement: Disbursement): Reason | undefined => {
  switch (disbursement.status) {
    case 'failed':
      return { code: 'provider_failed', message: 'The provider says that the payout failed.' };
    case 'canceled':
      return { code: 'provider_canceled', message: 'The provider says that the payout was canceled.' };
    case 'on_hold':
      return { code: 'provider_need_check', message: 'The provider holds the payout for a check.' };
    case 'pending':
    case 'completed':
      return undefined;
  }
};

interface Step {
  readonly merge: Merge;
  readonly changes: PayoutChanges;
}

const decide = (payout: Payout, disbursement: Disbursement): Step => {
  const contradiction = findContradiction(payout, disbursement);
  if (contradiction === undefined) {
    const reason = reasonFor(disbursement);
    return {
      merge: mergeObservation(payout.status, disbursement.status),
      changes: {
        disbursementId: disbursement.disbursementId,
        ...(disbursement.fee === undefined ? {} : { fee: disbursement.fee }),
        ...(reason === undefined ? {} : { reason }),
      },
    };
  }
  const reason = {
    code: contradiction,
    message: 'What the provider holds for the payout contradicts the payout file.',
  };
  if (payout.status === 'quarantined') return { merge: { kind: 'keep' }, changes: {} };
  const movable = !isEnd(payout.status) && payout.status !== 'ready';
  const merge: Merge = movable ? { kind: 'move', transition: payoutTransitions.quarantine } : { kind: 'alarm' };
  return { merge, changes: { reason } };
};

const idsOf = (payout: Payout) => ({ batchId: payout.batchId, chunk: payout.chunk, row: payout.row });

/**
 * Brings a payout to what the provider says of it, upwards only, and returns how the payout then stands. The one way
 * in which an observation, whoever made it (poll, resolver, webhook), reaches the ledger.
 *
 * A disbursement that contradicts the payout (another id, reference, rail, currency, amount or destination) moves it
 * to `quarantined` and raises the alarm PayoutQuarantined. An observation that contradicts an end, or a payout nothing
 * was posted for, changes nothing and raises PayoutChangedAfterEnd. One that says what the ledger says writes nothing.
 */
export const observePayout = async (
  { ledger, log }: ObservePayoutDependencies,
  payout: Payout,
  disbursement: Disbursement,
): Promise<Payout> => {
  let current = payout;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { merge, changes } = decide(current, disbursement);
    if (merge.kind === 'keep') return current;
    if (merge.kind === 'alarm') {
      log.alarm('PayoutChangedAfterEnd', { ...idsOf(current), status: current.status, observed: disbursement.status });
      return current;
    }
    const answer = await ledger.movePayout(idsOf(current), merge.transition, changes);
    if (answer.kind === 'moved') {
      if (merge.transition.to === 'quarantined') {
        log.alarm('PayoutQuarantined', { ...idsOf(current), code: changes.reason?.code ?? 'contradicted' });
      }
      return answer.payout;
    }
    current = answer.payout;
  }
  return current;
};
