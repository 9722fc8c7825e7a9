import * as z from 'zod';
import { isPair } from '../../domain/money/currencies.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount } from '../../http/wire-json.ts';
import { changeSandbox } from '../../store/sandbox/sandbox-state.ts';
import { sandboxBusy, sandboxRecord, sandboxSchema } from './sandbox-record.ts';

const body = z.object({
  pair: z.string({ error: 'must be a text such as usdt-tron/THB' }),
  /** Fiat per token. Without it, the sandbox's own rate applies again. */
  rate: wireAmount.optional(),
});

/** POST /sandbox/rates: sets the merchant's rate for a pair. Existing quotes keep their rates. */
export const setSandboxRate = bodyEndpoint({
  route: 'POST /sandbox/rates',
  access: 'authorization',
  summary: 'Set a rate',
  answers: enveloped('Rate set', sandboxSchema),
  refuses: [503],
  body,
  work: async (context, { account }, { pair, rate }) => {
    if (!isPair(pair)) return new Refused('pair must be <token>/<fiat>, such as usdt-tron/THB');
    const state = await changeSandbox(context, account.clientId, (current) => {
      const others = Object.entries(current.rates).filter(([one]) => one !== pair);
      return { rates: Object.fromEntries(rate === undefined ? others : [...others, [pair, rate]]) };
    });
    if (state === 'busy') return sandboxBusy();
    return state instanceof Refused ? state : sandboxRecord(account, state, context.now());
  },
});
