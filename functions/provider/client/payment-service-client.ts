import type { Transport } from '../transport.ts';
import { balanceEndpoints } from './balance.ts';
import { checkoutEndpoints } from './checkout.ts';
import { convertEndpoints } from './convert.ts';
import { cryptoDisbursementEndpoints } from './crypto-disbursements.ts';
import { depositEndpoints } from './deposits.ts';
import { fiatDisbursementEndpoints } from './fiat-disbursements.ts';
import { referenceEndpoints } from './references.ts';
import { sandboxEndpoints } from './sandbox.ts';

/** Every endpoint of the payment service, by resource. Each answers a ServiceAnswer of the data its schema names. */
export const createPaymentServiceClient = (transport: Transport) => ({
  balance: balanceEndpoints(transport),
  convert: convertEndpoints(transport),
  references: referenceEndpoints(transport),
  checkout: checkoutEndpoints(transport),
  deposits: depositEndpoints(transport),
  fiatDisbursements: fiatDisbursementEndpoints(transport),
  cryptoDisbursements: cryptoDisbursementEndpoints(transport),
  sandbox: sandboxEndpoints(transport),
});

export type PaymentServiceClient = ReturnType<typeof createPaymentServiceClient>;
