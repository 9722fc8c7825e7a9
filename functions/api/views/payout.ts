import { given } from '../../domain/given.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { readLastRetries } from '../../payouts/last-retries.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import type { PayoutPage, PayoutView } from '../schemas/payout.ts';
import { payoutView } from '../schemas/payout.ts';
import { adviceOnPayout } from './payout-advice.ts';
import { shown } from './shown.ts';

const viewContradictions = ({ contradictions, contradictionsNoted = 0 }: Payout) =>
  contradictions?.map((one, index) => ({ ...one, noted: index < contradictionsNoted }));

/**
 * A payout as the API shows it, without the hash of its destination, which would confirm a guessed account number.
 *
 * @param retry the last retry of an unpaid payout. A search for the first reference must show whether a later one paid
 */
export const viewPayout = (payout: Payout, retry?: Payout): PayoutView =>
  shown(payoutView, {
    ...payout,
    bankCode: payout.destination?.bankCode,
    account: payout.destination?.account,
    currency: payout.amount.currency,
    amount: payout.amount.amount,
    contradictions: viewContradictions(payout),
    since: payout.statusSince ?? payout.updatedAt,
    wayOut: adviceOnPayout(payout),
    fee: payout.fee?.amount,
    // Its reason and contradictions show whether it may have been paid, whatever its status.
    lastRetry: retry && { ...retry, contradictions: viewContradictions(retry) },
  });

/** A page of payouts, each with its last retry. */
export const viewPayoutPage = async (
  ledger: Parameters<typeof readLastRetries>[0],
  { items, cursor }: Page<Payout>,
): Promise<PayoutPage> => {
  const retries = await readLastRetries(ledger, items);
  return {
    payouts: items.map((payout) => viewPayout(payout, retries.get(payout.reference))),
    ...given({ cursor }),
  };
};
