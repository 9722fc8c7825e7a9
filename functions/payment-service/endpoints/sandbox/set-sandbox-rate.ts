import * as z from 'zod';
import { isPair } from '../../domain/money/currencies.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { changeSandbox } from '../../store/sandbox/sandbox-state.ts';
import { sandboxRecord, sandboxSchema } from './sandbox-record.ts';

const body = z.object({
  pair: z.string({ error: 'must be a text such as usdt-tron/THB' }),
  /** Fiat per token. Without it, the sandbox's own rate applies again. */
  rate: wireAmount.optional(),
});

/** POST /sandbox/rates: sets the merchant's rate for a pair. Existing quotes keep their rates. */
export const setSandboxRate = bodyEndpoint(
  {
    route: 'POST /sandbox/rates',
    access: 'authorization',
    summary: 'Set a rate',
    answers: enveloped('Rate set', sandboxSchema),
  },
  body,
  async (context, { account }, { pair, rate }) => {
    if (!isPair(pair)) return new Refused('pair must be <token>/<fiat>, such as usdt-tron/THB');
    const others = Object.entries(context.sandbox.rates).filter(([one]) => one !== pair);
    const rates = Object.fromEntries(rate === undefined ? others : [...others, [pair, rate]]);
    const state = await changeSandbox(context.table, account.clientId, { rates });
    return sandboxRecord(account, state, context.now());
  },
);
