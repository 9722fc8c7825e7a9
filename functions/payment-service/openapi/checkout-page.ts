import type { Json } from './json-schemas.ts';
import { linksOf } from './links.ts';
import { requiredHeaders, textParameters } from './operation.ts';

const html = (description: string): Json => ({ description, content: { 'text/html': {} } });

/** The gateway's errors are no pages. */
const common = {
  400: { $ref: '#/components/responses/BadRequest' },
  429: { $ref: '#/components/responses/TooManyRequests' },
  404: html('There is no such checkout, or it has nothing at this address.'),
  500: html('A bug or an outage.'),
} as const;

const parameters = [
  ...textParameters(
    'path',
    { checkoutId: 'From the answer that created the checkout. Knowing it is the customer’s credential.' },
    true,
  ),
  ...textParameters('header', {
    'Accept-Language': 'The page is in English, or in Indonesian (`id`) when the browser prefers it.',
  }),
];

/** No `enum`, because an unknown value is not an error. */
const problem = textParameters('query', {
  problem: 'Why the last choice was not accepted. One of: missing, gone, busy. Anything else is ignored.',
});

const operation = (operationId: string, summary: string, responses: Json, rest: Json = {}): Json => ({
  operationId,
  summary,
  security: [],
  parameters,
  ...rest,
  responses: { ...common, ...responses },
});

const done = {
  description: 'Load the page again: it shows the current state of the checkout.',
  headers: requiredHeaders({ Location: 'The page. Its `problem` says why a choice was not accepted.' }),
  ...linksOf('pickCheckoutMethod'),
} as const;

/** Only the page's own forms may send these. */
const forms = {
  303: done,
  403: html('Another site made the browser send this request.'),
  413: html('Too large for a form of the page.'),
  415: html('Not a form of the page.'),
} as const;

const form = (schema: Json): Json => ({
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } },
});

const state = {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['choosing', 'awaiting_payment', 'completed', 'expired'] },
    expiresAt: { type: 'string', format: 'date-time' },
    secondsLeft: { type: 'integer', minimum: 0 },
  },
  required: ['state', 'expiresAt', 'secondsLeft'],
  additionalProperties: false,
} as const;

const choice = {
  type: 'object',
  properties: { paymentMethod: { type: 'string', description: 'The code of a method that the page offers.' } },
  required: ['paymentMethod'],
} as const;

/** The hosted checkout page. checkout-page/ checks its requests itself, so no endpoint has schemas for it. */
export const checkoutPagePaths: Json = {
  '/checkout/{checkoutId}': {
    get: operation(
      'showCheckoutPage',
      'The hosted checkout page, for the customer’s browser',
      {
        200: html('The page, in the current state of the checkout.'),
        410: html('The checkout is over without a payment.'),
      },
      { parameters: [...parameters, ...problem] },
    ),
  },
  '/checkout/{checkoutId}/state': {
    get: operation('getCheckoutState', 'The state of the checkout, which the page polls while it waits', {
      200: { description: 'Done.', content: { 'application/json': { schema: state } } },
    }),
  },
  '/checkout/{checkoutId}/qr.png': {
    get: operation('showCheckoutQr', 'The QR code for the payment, as an image', {
      200: { description: 'The image.', content: { 'image/png': {} } },
    }),
  },
  '/checkout/{checkoutId}/method': {
    post: operation(
      'pickCheckoutMethod',
      'Pick the payment method, and make the checkout’s one deposit',
      forms,
      form(choice),
    ),
  },
  '/checkout/{checkoutId}/pay': {
    post: operation('payCheckout', 'Simulate the payment (sandbox)', forms, form({ type: 'object' })),
  },
};
