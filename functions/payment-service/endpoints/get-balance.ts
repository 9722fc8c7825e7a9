import * as z from 'zod';
import type { Asset } from '../domain/money/currencies.ts';
import { fiatCurrencies, tokens } from '../domain/money/currencies.ts';
import { plainEndpoint } from '../http/endpoint.ts';
import { withoutEnvelope } from '../http/success.ts';
import { wireNumber } from '../http/wire-json.ts';
import type { Balance } from '../store/balances.ts';
import { readBalances } from '../store/balances.ts';
import { amount, time } from './answer-fields.ts';

const partSchema = z.strictObject({
  balances: z.array(z.strictObject({ amount, assetCode: z.string() })),
  lastUpdated: time,
});

const balance = z
  .strictObject({ userId: z.string(), assets: z.strictObject({ fiat: partSchema, crypto: partSchema }) })
  .meta({ id: 'Balance', description: 'Every asset, including those without money.' });

/** The balances in some of the assets, dated by the last move of any of them, or now if none ever moved. */
const part = (assets: readonly Asset[], balances: readonly Balance[], now: Date) => {
  const own = balances.filter(({ amount }) => assets.some(({ code }) => code === amount.currency));
  const lastUpdated = own.flatMap(({ updatedAt }) => updatedAt ?? []).toSorted();
  return {
    balances: own.map(({ amount }) => ({ amount: wireNumber(amount), assetCode: amount.currency })),
    lastUpdated: lastUpdated.at(-1) ?? now.toISOString(),
  };
};

/** GET /v1/balance: the balance record itself, without an envelope. */
export const getBalance = plainEndpoint({
  route: 'GET /v1/balance',
  access: 'authorization',
  summary: 'Get the balance of every asset, without the envelope',
  answers: withoutEnvelope(balance),
  work: async (context, { account }) => {
    const balances = await readBalances(context);
    const now = context.now();
    return {
      userId: account.userId,
      assets: { fiat: part(fiatCurrencies, balances, now), crypto: part(tokens, balances, now) },
    };
  },
});
