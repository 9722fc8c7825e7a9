import { clientIdOf } from '../domain/account.ts';
import type { Runtime } from '../runtime.ts';
import { contextOf } from '../runtime.ts';
import { timeToRetry } from '../store/retry.ts';
import type { SettlementMessage } from '../store/settlement-queue.ts';
import { delaySeconds } from '../store/settlement-queue.ts';
import { settleDeposit } from './settle-deposit.ts';
import { settleGroup } from './settle-group.ts';

/**
 * Takes the due steps of a group or deposit, and schedules the next look if one is needed.
 *
 * @param hasTime whether the run, which may settle several messages, has time for another attempt; by default that of a run that
 *   begins now
 */
export const settle = async (runtime: Runtime, message: SettlementMessage, hasTime = timeToRetry(runtime.now)) => {
  const sandbox = await runtime.sandboxOf(clientIdOf(message.accountId));
  const context = contextOf(runtime, message.accountId, sandbox, [], hasTime);
  const next = message.kind === 'group' ? await settleGroup(context, message) : await settleDeposit(context, message);
  if (next !== undefined) await context.schedule(message, delaySeconds(context.now(), next));
};
