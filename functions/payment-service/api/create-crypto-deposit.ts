import * as z from 'zod';
import { composeCryptoDeposit } from '../domain/compose-deposit.ts';
import { badRequest, created } from '../http/answers.ts';
import { bodyEndpoint, reference, text } from '../http/endpoint.ts';
import { envelopedAsCreated } from '../http/success-answer.ts';
import { wireAmount } from '../http/wire-json.ts';
import { depositRecord } from './deposit-record.ts';
import { depositRefusal } from './deposit-refusal.ts';
import { findQuoted } from './find-quoted.ts';
import { deposit } from './schemas/deposit.ts';
import type { Service } from './service.ts';

const body = z.object({
  inputCurrency: z.string({ error: 'must be a text' }),
  inputAmount: wireAmount,
  outputCurrency: z.string({ error: 'must be a text' }).optional(),
  reference: reference.optional(),
  note: text(255).optional(),
  quoteId: z.string({ error: 'must be a text' }).min(1, 'must not be empty').max(64).optional(),
});

/** POST /v1/deposit/crypto: a wallet address of its own, to which exactly the amount is to be sent. */
export const createCryptoDeposit = bodyEndpoint(
  {
    method: 'POST',
    path: '/v1/deposit/crypto',
    access: 'authorization',
    id: 'createCryptoDeposit',
    summary: 'Create a crypto deposit, converted into a fiat currency when wanted',
    answers: envelopedAsCreated(deposit),
    refuses: [503],
  },
  body,
  async (service: Pick<Service, 'depositTerms' | 'findQuote' | 'createDeposit'>, { account }, request) => {
    const { quoteId } = request;
    const quoted = quoteId === undefined ? undefined : await findQuoted(service, account.accountId, quoteId);
    if (quoted?.kind === 'refused') return badRequest(quoted.message);
    const composed = composeCryptoDeposit(service.depositTerms(account), request, quoted?.conversion);
    if (composed.kind === 'refused') return badRequest(composed.message);
    const outcome = await service.createDeposit(account.accountId, composed.draft);
    return outcome.kind === 'created'
      ? created('Crypto deposit created', depositRecord(account, outcome.deposit))
      : depositRefusal(outcome);
  },
);
