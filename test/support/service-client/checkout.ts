import * as z from 'zod';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { post } from '../../../functions/provider/transport/transport.ts';
import { sentAmount } from '../../../functions/provider/wire-values.ts';

/** The public document lists both amounts as required but shows one. The service decides which it needs. */
const checkoutRequest = z.strictObject({
  inputCurrency: z.string(),
  inputAmount: sentAmount().optional(),
  outputAmount: sentAmount().optional(),
  outputCurrency: z.string().optional(),
});

const checkoutData = z.object({
  /** Also the id of the one deposit the checkout can produce. */
  id: z.string().min(1),
  url: z.string(),
});

/** Creates hosted checkouts. */
export const checkoutEndpoints = (transport: Transport) => ({
  create: (request: z.input<typeof checkoutRequest>) =>
    transport.send(post('/v1/checkout', 'signed', JSON.stringify(checkoutRequest.parse(request))), checkoutData),
});
