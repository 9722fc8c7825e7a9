import * as z from 'zod';
import { checkoutOffers } from '../../domain/deposits/checkout.ts';
import { badRequest, success } from '../../http/answers.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success-answer.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { createdCheckout } from '../schemas/deposit.ts';
import type { Service } from '../service.ts';

const body = z.object({
  inputCurrency: z.string({ error: 'must be a text' }),
  inputAmount: wireAmount.optional(),
  outputAmount: wireAmount.optional(),
  outputCurrency: z.string({ error: 'must be a text' }).optional(),
});

/** POST /v1/checkout: a payment page that makes one deposit at most, whose id is the checkout's. */
export const createCheckout = bodyEndpoint(
  {
    method: 'POST',
    path: '/v1/checkout',
    access: 'signed',
    id: 'createCheckout',
    summary: 'Create a hosted checkout',
    answers: enveloped(createdCheckout),
  },
  body,
  async (service: Pick<Service, 'depositTerms' | 'createCheckout'>, { account }, given) => {
    if (!account.terms.checkout) return badRequest('Checkout is not enabled');
    const request = { ...given, outputCurrency: given.outputCurrency ?? given.inputCurrency };
    const priced = checkoutOffers(service.depositTerms(account), request);
    if (priced.kind === 'refused') return badRequest(priced.message);
    const { id, url } = await service.createCheckout(account, request);
    return success('Checkout created', { id, url });
  },
);
