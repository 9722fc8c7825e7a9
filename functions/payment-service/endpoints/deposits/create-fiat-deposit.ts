import * as z from 'zod';
import { composeFiatDeposit } from '../../domain/deposits/compose-deposit.ts';
import { anyText, oneOf, quoteId, referenceAndNote } from '../../http/request-fields.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { depositCreation } from './deposit-creation.ts';

/** Also for a number, which is an object until its digits are read. */
const notOneAmount = 'must be an object with either fiat or crypto';

const body = z
  .object({
    inputCurrency: anyText,
    inputAmount: wireAmount.optional(),
    outputCurrency: anyText,
    outputAmount: z
      .object({ fiat: wireAmount.optional(), crypto: wireAmount.optional() }, { error: notOneAmount })
      .refine(({ fiat, crypto }) => (fiat === undefined) !== (crypto === undefined), notOneAmount)
      .meta({ oneOf: [{ required: ['fiat'] }, { required: ['crypto'] }] })
      .optional(),
    balanceType: oneOf(['fiat', 'crypto']),
    paymentMethod: anyText,
    ...referenceAndNote,
    quoteId: quoteId.optional(),
  })
  .meta({
    oneOf: [{ required: ['inputAmount'] }, { required: ['outputAmount'] }],
    examples: [
      {
        inputCurrency: 'PHP',
        inputAmount: 1000,
        outputCurrency: 'PHP',
        balanceType: 'fiat',
        paymentMethod: 'GCASH',
        reference: 'order-7',
      },
    ],
  });

/** POST /v1/deposit/fiat: payment instructions for an amount, valid until the deposit expires. */
export const createFiatDeposit = depositCreation({
  route: 'POST /v1/deposit/fiat',
  summary: 'Create a fiat deposit, optionally converted into another currency',
  message: 'Fiat deposit created',
  body,
  compose: composeFiatDeposit,
});
