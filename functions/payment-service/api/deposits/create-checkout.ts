import * as z from 'zod';
import { checkoutOffers } from '../../domain/deposits/checkout.ts';
import { Money } from '../../domain/money/money.ts';
import { badRequest, success } from '../../http/answers.ts';
import { bodyEndpoint, line } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success-answer.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { createdCheckout } from '../schemas/deposit.ts';
import type { Service } from '../service.ts';

const notAnAddress = 'must be an https address at a named host, without a user or password';

/** An https address at a named host, in the characters of RFC 3986: no user or password, no letters that look like others. */
const returnUrl = z
  .string({ error: 'must be a text' })
  .max(2000, 'must have at most 2000 characters')
  .regex(
    /^https:\/\/([A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]*(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?#][A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*)?$/,
    notAnAddress,
  )
  .refine((address) => URL.canParse(address), notAnAddress);

const body = z
  .object({
    inputCurrency: z.string({ error: 'must be a text' }),
    inputAmount: wireAmount.optional(),
    outputAmount: wireAmount.optional(),
    outputCurrency: z.string({ error: 'must be a text' }).optional(),
    description: line(140)
      .optional()
      .meta({
        description: 'What the order is for, as the customer reads it.',
        examples: ['Order 7: two bags of coffee'],
      }),
    returnUrl: returnUrl.optional().meta({
      description: 'Where the page links back to. Nothing is added to it.',
      format: 'uri',
      examples: ['https://shop.example/orders/7'],
    }),
  })
  .meta({
    examples: [{ inputCurrency: 'IDR', outputAmount: 150000 }],
    anyOf: [{ required: ['inputAmount'] }, { required: ['outputAmount'] }],
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
    const { inputCurrency, outputCurrency = inputCurrency, inputAmount, outputAmount } = given;
    const request = {
      ...given,
      outputCurrency,
      inputAmount: Money.ofOptional(inputAmount, inputCurrency),
      outputAmount: Money.ofOptional(outputAmount, outputCurrency),
    };
    const priced = checkoutOffers(service.depositTerms(account), request);
    if (priced.kind === 'refused') return badRequest(priced.message);
    const { id, url } = await service.createCheckout(account, request);
    return success('Checkout created', { id, url });
  },
);
