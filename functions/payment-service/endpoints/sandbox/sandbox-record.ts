import * as z from 'zod';
import type { Account } from '../../domain/account.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { RefusedWith } from '../../http/answers.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, time } from '../answer-fields.ts';

export const sandboxSchema = z
  .strictObject({
    clientId: z.string(),
    now: time.meta({ description: "The time on the merchant's clock." }),
    clockOffsetSeconds: z
      .int()
      .meta({ description: 'How far that clock is ahead of the real time. Negative when it is behind.' }),
    rates: z
      .record(z.string(), amount)
      .meta({ description: "Rates that replace the sandbox's own, by `<token>/<fiat>`." }),
    resets: z.int().meta({ description: 'How often the sandbox was reset.' }),
  })
  .meta({ id: 'SandboxState', description: "The state of a merchant's sandbox." });

export const sandboxBusy = (): RefusedWith => new RefusedWith(503, 'The sandbox is in use, try again');

/** The state of a merchant's sandbox. */
export const sandboxRecord = (account: Account, state: SandboxState, now: Date) => ({
  clientId: account.clientId,
  now: now.toISOString(),
  clockOffsetSeconds: Math.trunc(state.clockOffset / 1000),
  rates: Object.fromEntries(Object.entries(state.rates).map(([pair, rate]) => [pair, wireNumber(rate)])),
  resets: state.generation,
});
