import * as z from 'zod';
import { depositKinds, enabledDepositMethods } from '../../domain/deposits/deposit-methods.ts';
import { fiatCurrencies } from '../../domain/money/currencies.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, percentage } from '../answer-fields.ts';

const depositPaymentMethod = z
  .strictObject({
    depositPaymentType: z.enum(depositKinds),
    bankName: z.string(),
    bankCode: z.string().meta({ description: 'The value for `paymentMethod` when creating a deposit.' }),
    currency: z.string(),
    minimumAmount: amount,
    maximumAmount: amount,
    image: z.url(),
    feeFlat: amount,
    feePercentage: percentage,
  })
  .meta({ id: 'DepositPaymentMethod', description: 'A way to pay a fiat deposit.' });

/** GET /v1/deposit/payment-method: the methods that the account has enabled. An unknown currency has none. */
export const listDepositPaymentMethods = queryEndpoint({
  route: 'GET /v1/deposit/payment-method',
  access: 'authorization',
  summary: 'List the ways to pay a fiat deposit',
  answers: enveloped('Deposit payment methods', z.array(depositPaymentMethod)),
  query: z.object({ currency: z.string().optional() }),
  work: async (_context, { account }, { currency }) =>
    fiatCurrencies
      .filter(({ code }) => currency === undefined || code === currency)
      .flatMap(({ code }) => enabledDepositMethods(account.terms, code))
      .map((method) => ({
        depositPaymentType: method.kind,
        bankName: method.bankName,
        bankCode: method.bankCode,
        currency: method.currency,
        minimumAmount: wireNumber(method.minAmount),
        maximumAmount: wireNumber(method.maxAmount),
        image: `https://assets.example/deposit-methods/${method.currency}-${method.bankCode}.svg`.toLowerCase(),
        feeFlat: wireNumber(method.feeFlat),
        feePercentage: wireNumber(method.feePercentage),
      })),
});
