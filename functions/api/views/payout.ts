import { given } from '../../domain/given.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutView } from '../schemas/payout.ts';
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

const viewReasonOf = ({ reason }: Payout): Pick<PayoutView, 'reason'> => {
  if (reason === undefined) return {};
  const { code, message, providerText } = reason;
  return { reason: { code, message, ...given({ providerText }) } };
};

const viewDestination = ({ destination }: Payout): Pick<PayoutView, 'bankCode' | 'account'> => {
  if (destination === undefined) return {};
  const { bankCode, account } = destination;
  return { ...given({ bankCode }), account };
};

/**
 * A payout as the API shows it, without the hash of its destination, which would confirm a guessed account number.
 *
 * @param lastRetry of an unpaid payout. A search for the first reference must show whether a later one paid
 */
export const viewPayout = (payout: Payout, lastRetry?: Payout): PayoutView => {
  const wayOut = wayOutOfPayout(payout);
  return {
    batchId: payout.batchId,
    row: payout.row,
    chunk: payout.chunk,
    reference: payout.reference,
    ...viewDestination(payout),
    rail: payout.rail,
    currency: payout.amount.currency,
    amount: payout.amount.amount,
    status: payout.status,
    ...viewReasonOf(payout),
    ...viewContradictions(payout),
    since: payout.statusSince ?? payout.updatedAt,
    ...given({ wayOut, disbursementId: payout.disbursementId }),
    ...given({ fee: payout.fee?.amount }),
    ...(payout.proof === undefined
      ? {}
      : { proof: { key: payout.proof.key, sha256: payout.proof.sha256, bytes: payout.proof.bytes } }),
    ...given({ heldBy: payout.heldBy }),
    ...(lastRetry === undefined
      ? {}
      : { lastRetry: { reference: lastRetry.reference, batchId: lastRetry.batchId, status: lastRetry.status } }),
    updatedAt: payout.updatedAt,
  };
};
