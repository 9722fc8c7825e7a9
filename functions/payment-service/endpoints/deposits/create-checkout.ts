import * as z from 'zod';
import { checkoutIdFrom, checkoutOffers } from '../../domain/deposits/checkout.ts';
import { Money } from '../../domain/money/money.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, line, publicAddress } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { keepCheckout } from '../../store/deposits/checkouts.ts';

const createdCheckout = z
  .strictObject({
    id: z.string().meta({ description: 'Also the id of the one deposit that the checkout can make.' }),
    url: z.url().meta({
      description: 'The payment page. It is valid for 15 minutes, unless the service is set to another time.',
    }),
  })
  .meta({ id: 'Checkout' });

const body = z
  .object({
    inputCurrency: anyText,
    inputAmount: wireAmount.optional(),
    outputAmount: wireAmount.optional(),
    outputCurrency: anyText.optional(),
    description: line(140)
      .optional()
      .meta({
        description: 'A description of the order. The customer sees it.',
        examples: ['Order 7: two bags of coffee'],
      }),
    returnUrl: publicAddress.optional().meta({
      description: 'The page links back to this address, unchanged.',
      format: 'uri',
      examples: ['https://shop.example/orders/7'],
    }),
  })
  .meta({
    examples: [{ inputCurrency: 'IDR', outputAmount: 150000 }],
    anyOf: [{ required: ['inputAmount'] }, { required: ['outputAmount'] }],
  });

/** POST /v1/checkout: a payment page and the one deposit that it can make. Both have the same id. */
export const createCheckout = bodyEndpoint({
  route: 'POST /v1/checkout',
  access: 'signed',
  summary: 'Create a hosted checkout',
  answers: enveloped('Checkout created', createdCheckout),
  body,
  work: async (context, { account }, given) => {
    if (!account.terms.checkout) return new Refused('Checkout is not enabled');
    const { inputCurrency, outputCurrency = inputCurrency, inputAmount, outputAmount } = given;
    const request = {
      ...given,
      outputCurrency,
      inputAmount: Money.ofOptional(inputAmount, inputCurrency),
      outputAmount: Money.ofOptional(outputAmount, outputCurrency),
    };
    const offers = checkoutOffers({ ...context.settings, account: account.terms }, request);
    if (offers instanceof Refused) return offers;
    // 128 random bits. Knowing the address is the customer's credential.
    const checkoutId = checkoutIdFrom(`${context.randomHex()}${context.randomHex()}`.slice(0, 32));
    const createdAt = context.now();
    const expiresAt = new Date(createdAt.getTime() + context.settings.checkout.validitySeconds * 1000);
    await keepCheckout(context.table, {
      ...request,
      checkoutId,
      account,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    });
    return { id: checkoutId, url: `${context.publicUrl}/checkout/${checkoutId}` };
  },
});
