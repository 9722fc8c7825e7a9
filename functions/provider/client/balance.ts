import * as z from 'zod';
import type { Transport } from '../transport/transport.ts';
import { get } from '../transport/transport.ts';
import { decimal, received } from '../wire-values.ts';

const balances = received(() => ({ balances: z.array(z.object({ amount: decimal(), assetCode: z.string().min(1) })) }));

const balanceRecord = received(() => ({ assets: z.object({ fiat: balances(), crypto: balances() }) }));

/** The balance: the one JSON answer without an envelope. */
export const balanceEndpoints = (transport: Transport) => ({
  read: () => transport.sendBare(get('/v1/balance', 'authorization'), balanceRecord()),
});
