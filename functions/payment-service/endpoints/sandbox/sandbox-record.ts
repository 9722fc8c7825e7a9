import type { Account } from '../../domain/account.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { wireNumber } from '../../http/wire-json.ts';

/** How a merchant's sandbox is steered. */
export const sandboxRecord = (account: Account, state: SandboxState, now: Date) => ({
  clientId: account.clientId,
  now: now.toISOString(),
  clockOffsetSeconds: Math.trunc(state.clockOffset / 1000),
  rates: Object.fromEntries(Object.entries(state.rates).map(([pair, rate]) => [pair, wireNumber(rate)])),
  resets: state.generation,
});
