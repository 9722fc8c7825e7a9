import * as z from 'zod';
import { composeCryptoDeposit } from '../../domain/deposits/compose-deposit.ts';
import { anyText, quoteId, referenceAndNote } from '../../http/request-fields.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { depositCreation } from './deposit-creation.ts';

const body = z
  .object({
    inputCurrency: anyText,
    inputAmount: wireAmount,
    outputCurrency: anyText.optional(),
    ...referenceAndNote,
    quoteId: quoteId.optional(),
  })
  .meta({ examples: [{ inputCurrency: 'usdt-tron', inputAmount: 100, reference: 'order-8' }] });

/** POST /v1/deposit/crypto: a wallet address for this deposit only. The payer sends exactly the amount. */
export const createCryptoDeposit = depositCreation({
  route: 'POST /v1/deposit/crypto',
  summary: 'Create a crypto deposit, optionally converted into another currency',
  message: 'Crypto deposit created',
  body,
  compose: composeCryptoDeposit,
});
