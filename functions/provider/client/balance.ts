import * as z from 'zod';
import type { Transport } from '../transport.ts';
import { decimal, informative } from '../wire-values.ts';

const balances = z.object({
  balances: z.array(z.object({ amount: decimal, assetCode: z.string().min(1) })),
  lastUpdated: informative(z.string()),
});

const balanceRecord = z.object({
  userId: informative(z.string()),
  assets: z.object({ fiat: balances, crypto: balances }),
});

/** The balance: the one JSON answer without an envelope. */
export const balanceEndpoints = (transport: Transport) => ({
  read: () => transport.sendBare({ method: 'GET', path: '/v1/balance', auth: 'authorization' }, balanceRecord),
});
