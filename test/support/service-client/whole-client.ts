import { createPaymentServiceClient } from '../../../functions/provider/client/payment-service-client.ts';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { checkoutEndpoints } from './checkout.ts';
import { depositEndpoints } from './deposits.ts';
import { fiatDisbursementV1Endpoints } from './fiat-disbursements-v1.ts';
import { referenceEndpoints } from './references.ts';
import { sandboxEndpoints } from './sandbox.ts';

/** Every endpoint of the payment service: those of the orchestrator's own client, and the others. */
export const createWholeClient = (transport: Transport) => {
  const client = createPaymentServiceClient(transport);
  return {
    ...client,
    references: referenceEndpoints(transport),
    checkout: checkoutEndpoints(transport),
    deposits: depositEndpoints(transport),
    fiatDisbursements: { ...client.fiatDisbursements, ...fiatDisbursementV1Endpoints(transport) },
    sandbox: sandboxEndpoints(transport),
  };
};

export type WholeClient = ReturnType<typeof createWholeClient>;
