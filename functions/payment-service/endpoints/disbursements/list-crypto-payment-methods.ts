import * as z from 'zod';
import { cryptoPaymentMethods } from '../../domain/disbursements/payment-methods.ts';
import { success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success-answer.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { cryptoPaymentMethod } from '../schemas/payment-method.ts';

/** GET /v1/disbursement/crypto/payment-method: the tokens that can be paid out; `currency` is what `token` asks for. */
export const listCryptoPaymentMethods = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/crypto/payment-method',
    access: 'authorization',
    id: 'listCryptoPaymentMethods',
    summary: 'List the tokens that can be paid out',
    answers: enveloped(z.array(cryptoPaymentMethod)),
  },
  async () =>
    success(
      'Crypto disbursement payment methods',
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
    ),
);
