import type { Rail } from '../../domain/payout/payout.ts';
import type { Transport } from '../transport/transport.ts';
import { balanceEndpoints } from './balance.ts';
import { convertEndpoints } from './convert.ts';
import { cryptoDisbursementEndpoints } from './crypto-disbursements.ts';
import { fiatDisbursementEndpoints } from './fiat-disbursements.ts';

/**
 * The endpoints that the orchestrator calls, by resource. Each returns a ServiceAnswer with the data that its schema describes.
 */
export const createPaymentServiceClient = (transport: Transport) => ({
  balance: balanceEndpoints(transport),
  convert: convertEndpoints(transport),
  fiatDisbursements: fiatDisbursementEndpoints(transport),
  cryptoDisbursements: cryptoDisbursementEndpoints(transport),
});

export type PaymentServiceClient = ReturnType<typeof createPaymentServiceClient>;

/** The endpoints of a rail's disbursements. */
export const disbursementsOn = (client: PaymentServiceClient, rail: Rail) =>
  rail === 'fiat' ? client.fiatDisbursements : client.cryptoDisbursements;
