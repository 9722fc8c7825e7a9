import { given } from '../../domain/given.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { readLastRetries } from '../../payouts/last-retries.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import type { PayoutPage, PayoutView } from '../schemas/payout.ts';
import { viewReason } from './batch-summary.ts';
import { adviceOnPayout } from './payout-advice.ts';

const viewContradictions = ({ contradictions, contradictionsNoted = 0 }: Payout): PayoutView['contradictions'] =>
  contradictions?.map(({ code, disbursementId, observed, at }, index) => {
    return { code, disbursementId, observed, at, noted: index < contradictionsNoted };
  });

const viewReasonOf = ({ code, message, providerText }: NonNullable<Payout['reason']>): PayoutView['reason'] => ({
  code,
  message,
  ...given({ providerText }),
});

/** The reason and the contradictions show whether it may have been paid, whatever its status. */
const viewLastRetry = (retry: Payout): PayoutView['lastRetry'] => {
  const { reference, batchId, status, reason } = retry;
  const contradictions = viewContradictions(retry);
  return { reference, batchId, status, ...viewReason(reason), ...given({ contradictions }) };
};

/**
 * A payout as the API shows it, without the hash of its destination, which would confirm a guessed account number.
 *
 * @param lastRetry of an unpaid payout. A search for the first reference must show whether a later one paid
 */
export const viewPayout = (payout: Payout, lastRetry?: Payout): PayoutView => {
  const { destination, reason, proof } = payout;
  return {
    batchId: payout.batchId,
    row: payout.row,
    chunk: payout.chunk,
    reference: payout.reference,
    ...given({ bankCode: destination?.bankCode, account: destination?.account }),
    rail: payout.rail,
    currency: payout.amount.currency,
    amount: payout.amount.amount,
    status: payout.status,
    ...given({ reason: reason && viewReasonOf(reason), contradictions: viewContradictions(payout) }),
    since: payout.statusSince ?? payout.updatedAt,
    ...given({
      wayOut: adviceOnPayout(payout),
      disbursementId: payout.disbursementId,
      fee: payout.fee?.amount,
      proof: proof && { key: proof.key, sha256: proof.sha256, bytes: proof.bytes },
      heldBy: payout.heldBy,
      lastRetry: lastRetry && viewLastRetry(lastRetry),
    }),
    updatedAt: payout.updatedAt,
  };
};

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
