import * as z from 'zod';
import { composeCryptoDeposit } from '../../domain/deposits/compose-deposit.ts';
import { envelopedAsCreated } from '../../http/answer-schemas.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, reference, text } from '../../http/request-fields.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { createPricedDeposit } from './create-priced-deposit.ts';
import { depositSchema } from './deposit-record.ts';

const body = z
  .object({
    inputCurrency: anyText,
    inputAmount: wireAmount,
    outputCurrency: anyText.optional(),
    reference: reference.optional(),
    note: text(255).optional(),
    quoteId: anyText.min(1, 'must not be empty').max(64).optional(),
  })
  .meta({ examples: [{ inputCurrency: 'usdt-tron', inputAmount: 100, reference: 'order-8' }] });

/** POST /v1/deposit/crypto: a wallet address for this deposit only. The payer sends exactly the amount. */
export const createCryptoDeposit = bodyEndpoint(
  {
    method: 'POST',
    path: '/v1/deposit/crypto',
    access: 'authorization',
    summary: 'Create a crypto deposit, optionally converted into another currency',
    answers: envelopedAsCreated(depositSchema),
    refuses: [503],
  },
  body,
  async (context, { account }, request) =>
    createPricedDeposit(
      context,
      account,
      { quoteId: request.quoteId, message: 'Crypto deposit created' },
      (terms, quoted) => composeCryptoDeposit(terms, request, quoted),
    ),
);
