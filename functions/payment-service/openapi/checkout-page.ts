import type { Json } from './json-schemas.ts';
import { linksOf } from './links.ts';

const html = (description: string): Json => ({ description, content: { 'text/html': {} } });

const gateway = {
  400: { $ref: '#/components/responses/BadRequest' },
  429: { $ref: '#/components/responses/TooManyRequests' },
} as const;

const common = { ...gateway, 404: html('There is no such checkout.'), 500: html('A bug or an outage.') } as const;

const parameters = [
  {
    name: 'checkoutId',
    in: 'path',
    required: true,
    schema: {
      type: 'string',
      description: 'As the creation of the checkout answered it: who knows it is the customer.',
    },
  },
  {
    name: 'Accept-Language',
    in: 'header',
    schema: {
      type: 'string',
      description: 'The page is in English, or in Indonesian (`id`) when the browser prefers it.',
    },
  },
] as const;

/** No `enum`: a value that the page does not know is no error. */
const problem = {
  name: 'problem',
  in: 'query',
  schema: {
    type: 'string',
    description:
      'Why the last choice was not taken, which the page says: missing, gone, busy. Anything else is ignored.',
  },
} as const;

const operation = (operationId: string, summary: string, responses: Json, rest: Json = {}): Json => ({
  operationId,
  summary,
  security: [],
  parameters,
  ...rest,
  responses: { ...common, ...responses },
});

const done = {
  description: 'Look at the page again: it tells how the checkout stands now.',
  headers: {
    Location: {
      description: 'The page; its `problem` tells why a choice was not taken.',
      required: true,
      schema: { type: 'string' },
    },
  },
  ...linksOf('pickCheckoutMethod'),
} as const;

/** Only the page's own forms send these. */
const forms = {
  303: done,
  403: html('Another site made the browser send this.'),
  413: html('Too large for a form of the page.'),
  415: html('No form of the page.'),
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

/** The hosted checkout page: checkout-page/ answers it by checks of its own, so no schema of an endpoint parses it. */
export const checkoutPagePaths: Json = {
  '/checkout/{checkoutId}': {
    get: operation(
      'showCheckoutPage',
      'The hosted checkout page, for the customer’s browser',
      {
        200: html('The page, as the checkout stands.'),
        410: html('The checkout is over without a payment.'),
      },
      { parameters: [...parameters, problem] },
    ),
  },
  '/checkout/{checkoutId}/state': {
    get: operation('getCheckoutState', 'How the checkout stands: what the page asks for while it waits', {
      200: { description: 'Done.', content: { 'application/json': { schema: state } } },
    }),
  },
  '/checkout/{checkoutId}/qr.png': {
    get: operation('showCheckoutQr', 'The QR code to pay by, as an image', {
      200: { description: 'The image.', content: { 'image/png': {} } },
    }),
  },
  '/checkout/{checkoutId}/method': {
    post: operation(
      'pickCheckoutMethod',
      'Picks the payment method, and makes the one deposit of the checkout',
      forms,
      form(choice),
    ),
  },
  '/checkout/{checkoutId}/pay': {
    post: operation('payCheckout', 'Plays the payment (sandbox)', forms, form({ type: 'object' })),
  },
};
