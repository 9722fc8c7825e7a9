import * as z from 'zod';
import { fiatPaymentMethods } from '../../domain/disbursements/payment-methods.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { amount, percentage, shownTerms } from '../answer-fields.ts';

const fiatPaymentMethod = z
  .strictObject({
    currency: z.string(),
    bankCode: z.string(),
    bankName: z.string(),
    minAmount: amount,
    maxAmount: amount,
    feeFlat: amount,
    feePercentage: percentage,
  })
  .meta({ id: 'FiatPaymentMethod', description: 'A bank that can receive disbursements.' });

/** GET /v1/disbursement/fiat/payment-method: the banks that can receive disbursements. An unknown currency has none. */
export const listFiatPaymentMethods = queryEndpoint({
  route: 'GET /v1/disbursement/fiat/payment-method',
  access: 'authorization',
  summary: 'List the banks that can receive disbursements',
  answers: enveloped('Fiat disbursement payment methods', z.array(fiatPaymentMethod)),
  query: z.object({ currency: z.string().optional() }),
  work: async (_context, _call, { currency }) =>
    fiatPaymentMethods
      .filter((method) => currency === undefined || method.currency === currency)
      .map((method) => ({ ...method, ...shownTerms(method) })),
});
