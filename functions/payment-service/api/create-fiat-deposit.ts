import * as z from 'zod';
import { composeFiatDeposit } from '../domain/compose-deposit.ts';
import { badRequest, created } from '../http/answers.ts';
import { bodyEndpoint, oneOf, reference, text } from '../http/endpoint.ts';
import { envelopedAsCreated } from '../http/success-answer.ts';
import { wireAmount } from '../http/wire-json.ts';
import { depositRecord } from './deposit-record.ts';
import { depositRefusal } from './deposit-refusal.ts';
import { findQuoted } from './find-quoted.ts';
import { deposit } from './schemas/deposit.ts';
import type { Service } from './service.ts';

const body = z.object({
  inputCurrency: z.string({ error: 'must be a text' }),
  inputAmount: wireAmount.optional(),
  outputCurrency: z.string({ error: 'must be a text' }),
  outputAmount: z
    .strictObject(
      { fiat: wireAmount.optional(), crypto: wireAmount.optional() },
      { error: 'must be an object with fiat or crypto' },
    )
    .refine(({ fiat, crypto }) => (fiat === undefined) !== (crypto === undefined), 'must have one of fiat and crypto')
    .meta({ minProperties: 1, maxProperties: 1 })
    .optional(),
  balanceType: oneOf(['fiat', 'crypto']),
  paymentMethod: z.string({ error: 'must be a text' }),
  reference: reference.optional(),
  note: text(255).optional(),
  quoteId: z.string({ error: 'must be a text' }).min(1, 'must not be empty').max(64).optional(),
});

/** POST /v1/deposit/fiat: instructions to pay an amount, which are good until the deposit expires. */
export const createFiatDeposit = bodyEndpoint(
  {
    method: 'POST',
    path: '/v1/deposit/fiat',
    access: 'authorization',
    id: 'createFiatDeposit',
    summary: 'Create a fiat deposit, converted into a token when wanted',
    answers: envelopedAsCreated(deposit),
    refuses: [503],
  },
  body,
  async (service: Pick<Service, 'depositTerms' | 'findQuote' | 'createDeposit'>, { account }, request) => {
    const { quoteId } = request;
    const quoted = quoteId === undefined ? undefined : await findQuoted(service, account.accountId, quoteId);
    if (quoted?.kind === 'refused') return badRequest(quoted.message);
    const composed = composeFiatDeposit(service.depositTerms(account), request, quoted?.conversion);
    if (composed.kind === 'refused') return badRequest(composed.message);
    const outcome = await service.createDeposit(account.accountId, composed.draft);
    return outcome.kind === 'created'
      ? created('Fiat deposit created', depositRecord(account, outcome.deposit))
      : depositRefusal(outcome);
  },
);
