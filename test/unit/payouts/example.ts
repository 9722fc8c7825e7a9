import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { PayoutStatus } from '../../../functions/domain/payout/payout-status.ts';
import type { Disbursement } from '../../../functions/ports/provider.ts';
import { idr } from '../../support/money.ts';

/** A bank transfer in progress with a known id. */
export const payout: Payout = {
  batchId: 'b-1',
  chunk: 2,
  row: 7,
  reference: 'r-7',
  rail: 'fiat',
  amount: idr('150000.50'),
  destinationHash: 'hash-of-the-account',
  status: 'pending',
  disbursementId: 'd-7',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** Its disbursement, completed. */
export const disbursement: Disbursement = {
  disbursementId: 'd-7',
  reference: 'r-7',
  rail: 'fiat',
  amount: idr('150000.5'),
  fee: idr('4000'),
  status: 'completed',
  providerStatus: 'completed',
  destinationHash: 'hash-of-the-account',
};

/** The payout before the provider gave it an id. */
export const withoutId = (status: PayoutStatus): Payout => {
  const { disbursementId: _, ...rest } = payout;
  return { ...rest, status };
};
