import { clientIdOf } from '../domain/account.ts';
import type { Runtime } from '../runtime.ts';
import { contextOf } from '../runtime.ts';
import type { SettlementMessage } from '../store/settlement-queue.ts';
import { delaySeconds } from '../store/settlement-queue.ts';
import { settleDeposit } from './settle-deposit.ts';
import { settleGroup } from './settle-group.ts';

/** Takes the due steps of a group or deposit, and schedules the next look if one is needed. */
export const settle = async (runtime: Runtime, message: SettlementMessage): Promise<void> => {
  const sandbox = await runtime.sandboxOf(clientIdOf(message.accountId));
  const context = contextOf(runtime, message.accountId, sandbox);
  const next = message.kind === 'group' ? await settleGroup(context, message) : await settleDeposit(context, message);
  if (next !== undefined) await context.schedule(message, delaySeconds(context.now(), next));
};
