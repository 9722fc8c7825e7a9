import * as z from 'zod';
import { cryptoPaymentMethods } from '../../domain/disbursements/payment-methods.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, percentage } from '../answer-fields.ts';

const cryptoPaymentMethod = z
  .strictObject({
    currency: z.string().meta({ description: 'The value for `token` when creating a disbursement.' }),
    network: z.string(),
    symbol: z.string(),
    name: z.string(),
    minimumAmount: amount,
    maximumAmount: amount,
    feeFlat: amount,
    feePercentage: percentage,
  })
  .meta({ id: 'CryptoPaymentMethod', description: 'A token that can be paid out.' });

/** GET /v1/disbursement/crypto/payment-method: the tokens that can be paid out. `currency` is the value for `token`. */
export const listCryptoPaymentMethods = plainEndpoint({
  route: 'GET /v1/disbursement/crypto/payment-method',
  access: 'authorization',
  summary: 'List the tokens that can be paid out',
  answers: enveloped('Crypto disbursement payment methods', z.array(cryptoPaymentMethod)),
  work: async () =>
    cryptoPaymentMethods.map(({ token, minAmount, maxAmount, feeFlat, feePercentage }) => ({
      currency: token.code,
      network: token.network,
      symbol: token.symbol,
      name: token.name,
      minimumAmount: wireNumber(minAmount),
      maximumAmount: wireNumber(maxAmount),
      feeFlat: wireNumber(feeFlat),
      feePercentage: wireNumber(feePercentage),
    })),
});
