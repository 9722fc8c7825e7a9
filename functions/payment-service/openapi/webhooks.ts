import * as z from 'zod';
import { depositStatuses } from '../domain/deposits/deposit.ts';
import { cryptoStatuses } from '../domain/disbursements/disbursement.ts';
import { amount, time, word } from '../endpoints/answer-fields.ts';
import type { Json } from './json-schemas.ts';
import { textParameters } from './operation.ts';

/** The body of a webhook about one type of event. */
const eventBody = <Data extends z.ZodRawShape>(type: string, data: Data) =>
  z.strictObject({ type: z.literal(type), timestamp: time, data: z.strictObject(data) });

const depositStatus = word(depositStatuses);

/** The schemas of webhook bodies, by event type. */
export const webhookSchemas = {
  'disbursement.updated': eventBody('disbursement.updated', {
    disbursementId: z.string(),
    disbursementType: z.enum(['fiat', 'crypto']),
    groupId: z.string(),
    reference: z.string().optional(),
    amount,
    currency: z.string(),
    status: word(cryptoStatuses),
    previousStatus: word(cryptoStatuses),
    updatedAt: time,
  }).meta({ id: 'DisbursementUpdated', description: 'The status of a disbursement has changed.' }),
  'deposit.updated': eventBody('deposit.updated', {
    orderId: z.string().meta({ description: 'The depositId, which is also the checkout’s id if there is a checkout.' }),
    depositId: z.string(),
    depositType: z.enum(['fiat', 'crypto']),
    reference: z.string().optional(),
    inputCurrency: z.string(),
    inputAmount: amount,
    outputCurrency: z.string(),
    outputAmount: amount.meta({ description: 'After the fee.' }),
    status: depositStatus,
    previousStatus: depositStatus,
    paidAt: time.optional(),
    updatedAt: time,
  }).meta({
    id: 'DepositUpdated',
    description:
      'A deposit was paid, or its status was set. If the service announces every change, also: it expired or was canceled.',
  }),
} as const;

/** The webhooks section, from the translated schemas. */
export const describeWebhooks = (payloads: Json): Json =>
  Object.fromEntries(
    Object.keys(webhookSchemas).map((type) => [
      type,
      {
        post: {
          operationId: type,
          summary: `Posted to the registered address: ${type}`,
          description:
            'Signed by the Standard Webhooks scheme. Can arrive twice and out of order. `webhook-id` is the same in every attempt.',
          security: [],
          parameters: textParameters(
            'header',
            {
              'webhook-id': 'The same in every attempt.',
              'webhook-timestamp': 'Unix seconds of this attempt.',
              'webhook-signature': '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`.',
            },
            true,
          ),
          requestBody: { required: true, content: { 'application/json': { schema: payloads[type] } } },
          responses: {
            '2XX': { description: 'Accepted.' },
            '410': { description: 'Refused, and not sent again.' },
            default: {
              description:
                'Refused, and sent again unless it was the last attempt. `Retry-After` after 429 or 503 can delay it.',
            },
          },
        },
      },
    ]),
  );
