import type { Log } from '../ports/environment.ts';
import type { PayoutChanges, PayoutLedger } from '../ports/payout-ledger.ts';
import type { Disbursement } from '../ports/provider.ts';
import { changedAfterEndCode, recordContradiction, usedTwiceCode } from './contradiction.ts';
import { compareAmounts } from './money.ts';
import type { Payout, PayoutStatus, Reason } from './payout.ts';
import type { PayoutTransition } from './payout-lifecycle.ts';
import { isEnd, mergeObservation, payoutTransitions } from './payout-lifecycle.ts';

export interface ObservePayoutDependencies {
  readonly ledger: Pick<PayoutLedger, 'movePayout' | 'recordContradiction'>;
  readonly log: Log;
}

/**
 * A refused move is decided again from how the payout then stands. Only `pending` and `on_hold` go both ways, so more
 * than a few refusals in a row means two writers trade those; the next observation settles it.
 */
const attempts = 3;

/** Reason of a payout that nothing is posted of, quarantined since the provider holds a disbursement that fits it. */
export const foundUnpostedCode = 'found_unposted';

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

type Step =
  | { readonly kind: 'move'; readonly transition: PayoutTransition; readonly changes: PayoutChanges }
  | { readonly kind: 'keep' }
  /** The status stays; `code` is recorded beside it. */
  | { readonly kind: 'contradicted'; readonly code: string };

const keep: Step = { kind: 'keep' };

/**
 * A payout that ended without a disbursement (refused, canceled before it was submitted, given up by an operator): one that
 * shows up later may pay after all, whatever it says now. Not so where an operator vouched that it was paid.
 */
const endedWithoutDisbursement = ({ status, disbursementId }: Payout): boolean =>
  isEnd(status) && status !== 'completed' && disbursementId === undefined;

const decideFitting = (
  payout: Payout & { readonly status: Exclude<PayoutStatus, 'ready'> },
  disbursement: Disbursement,
): Step => {
  const merge = mergeObservation(payout.status, disbursement.status);
  if (merge.kind === 'move') {
    const reason = reasonFor(disbursement);
    const changes = {
      disbursementId: disbursement.disbursementId,
      ...(disbursement.fee === undefined ? {} : { fee: disbursement.fee }),
      ...(reason === undefined ? {} : { reason }),
    };
    return { ...merge, changes };
  }
  if (endedWithoutDisbursement(payout)) {
    return payout.status === disbursement.status ? keep : { kind: 'contradicted', code: 'made_after_all' };
  }
  return merge.kind === 'keep' ? keep : { kind: 'contradicted', code: changedAfterEndCode };
};

const decide = (payout: Payout, disbursement: Disbursement): Step => {
  const { status } = payout;
  const contradiction = findContradiction(payout, disbursement);
  if (status === 'ready') {
    const reason = {
      code: contradiction ?? foundUnpostedCode,
      message: 'The provider holds a disbursement with this reference, although nothing of the payout is posted.',
    };
    return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason } };
  }
  if (contradiction === undefined) return decideFitting({ ...payout, status }, disbursement);
  if (isEnd(status)) {
    const isSecond = contradiction === 'another_disbursement' && disbursement.reference === payout.reference;
    return { kind: 'contradicted', code: isSecond ? usedTwiceCode : contradiction };
  }
  if (status === 'quarantined') return keep;
  const reason = {
    code: contradiction,
    message: 'What the provider holds for the payout contradicts the payout file.',
  };
  return { kind: 'move', transition: payoutTransitions.quarantine, changes: { reason } };
};

const idsOf = (payout: Payout) => ({ batchId: payout.batchId, chunk: payout.chunk, row: payout.row });

/**
 * Brings a payout to what the provider says of it, upwards only, and returns how the payout then stands. The one way
 * in which an observation, whoever made it (poll, resolver, webhook), reaches the ledger.
 *
 * A disbursement that contradicts the payout (another id, reference, rail, currency, amount or destination) moves it
 * to `quarantined` and raises the alarm PayoutQuarantined; so does any disbursement of a payout that nothing is posted
 * for, since posting it could pay it twice. An observation that contradicts an end is recorded beside it (see
 * contradiction.ts) and raises PayoutChangedAfterEnd. One that says what the ledger says writes nothing.
 */
export const observePayout = async (
  dependencies: ObservePayoutDependencies,
  payout: Payout,
  disbursement: Disbursement,
): Promise<Payout> => {
  const { ledger, log } = dependencies;
  let current = payout;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const step = decide(current, disbursement);
    if (step.kind === 'keep') return current;
    if (step.kind === 'contradicted') {
      const { disbursementId, status: observed } = disbursement;
      return recordContradiction(dependencies, current, { code: step.code, disbursementId, observed });
    }
    const { transition, changes } = step;
    const answer = await ledger.movePayout(idsOf(current), transition, changes);
    if (answer.kind === 'moved') {
      if (transition.to === 'quarantined') {
        log.alarm('PayoutQuarantined', { ...idsOf(current), code: changes.reason?.code ?? 'contradicted' });
      }
      return answer.payout;
    }
    current = answer.payout;
  }
  return current;
};
