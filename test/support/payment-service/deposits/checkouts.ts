import * as z from 'zod';
import { credentials, envelopeOf, getSigned, send } from '../merchant.ts';
import { checkoutIn, postCheckout } from './deposits.ts';

/** A new checkout: by default, over 150000 rupiah. */
export const newCheckout = (
  body: Readonly<Record<string, unknown>> = { inputCurrency: 'IDR', inputAmount: 150_000, outputAmount: undefined },
  as = credentials,
) => checkoutIn(postCheckout(body, as));

export type MadeCheckout = Awaited<ReturnType<typeof newCheckout>>;

/** The merchant's answer about a checkout: its deposit, or why there is none. */
export const tracked = (checkoutId: string, as = credentials) =>
  envelopeOf(getSigned(`/v1/deposit/fiat/${checkoutId}`, { as }));

const deposit = z.looseObject({
  depositId: z.string(),
  status: z.string(),
  inputAmount: z.number(),
  outputAmount: z.number(),
  paymentFiat: z.looseObject({
    bankCode: z.string(),
    accountNumber: z.string().optional(),
    qrData: z.string().optional(),
  }),
});

/** The deposit of a checkout. */
export const depositOf = async (checkoutId: string, as = credentials) =>
  deposit.parse((await tracked(checkoutId, as))['data']);

/** Moves the clock of a merchant's sandbox forward. */
export const passTime = (advanceSeconds: number, as: typeof credentials) =>
  envelopeOf(send('POST', '/sandbox/clock', { advanceSeconds }, as));

export const resetSandbox = (as: typeof credentials) => envelopeOf(send('POST', '/sandbox/reset', undefined, as));
