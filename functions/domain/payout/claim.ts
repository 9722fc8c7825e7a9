import type { Call } from '../batch/chunk.ts';
import type { Payout } from './payout.ts';
import { payoutTransitions } from './payout-status.ts';

type Claim = Pick<Call, 'k' | 'claimedAt'>;

/** What a claim changes on each of its payouts. `null` removes a field: it belongs to the previous submission. */
export const changesOfClaim = ({ k, claimedAt }: Claim) => ({
  status: payoutTransitions.claim.to,
  call: k,
  statusSince: claimedAt,
  updatedAt: claimedAt,
  absences: null,
  reason: null,
});

/** The payout after the claim, as the ledger then has it. */
export const asClaimed = (payout: Payout, claim: Claim): Payout => {
  const { absences: _absences, reason: _reason, ...claimed } = { ...payout, ...changesOfClaim(claim) };
  return claimed;
};
