import * as z from 'zod';
import { fiatDisbursement } from '../../../functions/provider/client/fiat-disbursements.ts';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { post } from '../../../functions/provider/transport/transport.ts';
import { amount, informative, integer, sentAmount } from '../../../functions/provider/wire-values.ts';

const createV1Request = z.strictObject({
  disburseData: z.array(
    z.strictObject({
      currency: z.string().optional(),
      recipientId: z.string().optional(),
      amount: sentAmount(),
      reference: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
});
const sumByCurrency = z.array(z.object({ currency: z.string(), totalAmount: amount() }));
const createdV1 = z.object({
  totalRecipient: informative(integer()),
  disburseData: z.array(fiatDisbursement()),
  sumFees: informative(sumByCurrency),
  sumAmount: informative(sumByCurrency),
});

/** The deprecated way to create disbursements to bank accounts. */
export const fiatDisbursementV1Endpoints = (transport: Transport) => ({
  createV1: (request: z.input<typeof createV1Request>) =>
    transport.send(
      post('/v1/disbursement/fiat', 'authorization', JSON.stringify(createV1Request.parse(request))),
      createdV1,
    ),
});
