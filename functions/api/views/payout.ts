import type { Payout } from '../../domain/payout.ts';
import type { PayoutView } from '../schemas/payout.ts';
import { viewReason } from './batch-summary.ts';
import { wayOutOfPayout } from './way-out.ts';

const viewContradictions = ({ contradictions, contradictionsNoted = 0 }: Payout): Pick<PayoutView, 'contradictions'> =>
  contradictions === undefined
    ? {}
    : {
        contradictions: contradictions.map(({ code, disbursementId, observed, at }, index) => ({
          code,
          disbursementId,
          observed,
          at,
          noted: index < contradictionsNoted,
        })),
      };

/** A payout as the API shows it: without the hash of its destination, which would confirm a guessed account number. */
export const viewPayout = (payout: Payout): PayoutView => {
  const wayOut = wayOutOfPayout(payout);
  return {
    batchId: payout.batchId,
    row: payout.row,
    chunk: payout.chunk,
    reference: payout.reference,
    rail: payout.rail,
    currency: payout.currency,
    amount: payout.amount,
    status: payout.status,
    ...viewReason(payout.reason),
    ...viewContradictions(payout),
    since: payout.statusSince ?? payout.updatedAt,
    ...(wayOut === undefined ? {} : { wayOut }),
    ...(payout.disbursementId === undefined ? {} : { disbursementId: payout.disbursementId }),
    ...(payout.fee === undefined ? {} : { fee: payout.fee }),
    ...(payout.proof === undefined
      ? {}
      : { proof: { key: payout.proof.key, sha256: payout.proof.sha256, bytes: payout.proof.bytes } }),
    ...(payout.heldBy === undefined ? {} : { heldBy: payout.heldBy }),
    updatedAt: payout.updatedAt,
  };
};
