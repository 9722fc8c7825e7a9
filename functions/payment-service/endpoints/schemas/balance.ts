import * as z from 'zod';
import { amount, time } from './fields.ts';

const part = z.strictObject({
  balances: z.array(z.strictObject({ amount, assetCode: z.string() })),
  lastUpdated: time,
});

export const balance = z
  .strictObject({ userId: z.string(), assets: z.strictObject({ fiat: part, crypto: part }) })
  .meta({ id: 'Balance', description: 'Every asset, also those without money.' });
