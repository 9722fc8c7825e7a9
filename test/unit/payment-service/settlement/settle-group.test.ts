import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import type { Strike } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import { nothingStrikes } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import { settleGroup } from '../../../../functions/payment-service/settlement/settle-group.ts';
import { readBalance } from '../../../../functions/payment-service/store/balances.ts';
import type { Context } from '../../../../functions/payment-service/store/context.ts';
import { setDisbursementStatus } from '../../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { readWholeGroup } from '../../../../functions/payment-service/store/disbursements/read-group.ts';
import { keys } from '../../../../functions/payment-service/store/keys.ts';
import type { SettlementMessage } from '../../../../functions/payment-service/store/settlement-queue.ts';
import type { Table } from '../../../../functions/payment-service/store/table.ts';
import { getItem } from '../../../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { newContext, newSettings, tableWith } from '../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../support/payment-service/new-disbursement.ts';

const posted = Date.parse('2026-11-21T06:00:00.000Z');
const secondsIn = (seconds: number) => () => new Date(posted + seconds * 1000);

/** All disbursements of a group settle together, two seconds after their creation. */
const together = newSettings({ settlement: { minSeconds: 2, maxSeconds: 2, waves: 1 } });

/** A new group of a hundred, and the message that its POST sent. */
const hundred = async (settings = together) => {
  const messages: SettlementMessage[] = [];
  const context = newContext({
    settings,
    openingBalance: (currency) => Money.of('100000', currency),
    now: secondsIn(0),
    schedule: async (message) => void messages.push(message),
  });
  const items = Array.from({ length: 100 }, () => newDraft());
  const made = await createDisbursements(context, [{ rail: 'fiat', currency: 'PHP', items }]);
  const [message] = messages;
  if (made.kind !== 'created' || message?.kind !== 'group') throw new Error('no group was made');
  return { context, message, disbursements: made.disbursements };
};

const isTransaction = (command: string): boolean => command === 'TransactWriteCommand';

/** The context some seconds later. `before` runs before each of its transactions. */
const later = (
  context: Context,
  seconds: number,
  before: (transaction: number) => Promise<unknown> = async () => undefined,
) => {
  let transactions = 0;
  const table = tableWith(context.table, async (command) => {
    if (!isTransaction(command)) return;
    transactions += 1;
    await before(transactions);
  });
  return { context: { ...context, table, now: secondsIn(seconds) }, transactions: () => transactions };
};

/** The same table, which keeps the requests that write. `repeat` sends them again, as if they arrived late. */
const repeating = (table: Table) => {
  const { client } = table;
  const sent: Parameters<typeof client.send>[0][] = [];
  const watched = Object.create(client);
  watched.send = async (command: Parameters<typeof client.send>[0]) => {
    if (/Write|Put|Update/.test(command.constructor.name)) sent.push(command);
    return await client.send(command);
  };
  return {
    table: { ...table, client: watched },
    repeat: async () => {
      for (const command of sent) await client.send(command).catch(() => undefined);
    },
  };
};

const statusesOf = async (context: Context, groupId: string) => {
  const whole = await readWholeGroup(context.table, groupId);
  return Map.groupBy(whole?.disbursements ?? [], ({ status }) => status);
};

it.each<[string, Parameters<typeof newDraft>[0], Strike]>([
  ['failed', { outcome: 'fail' }, nothingStrikes],
  [
    'was returned',
    { outcome: 'standard' },
    async (fault) => (fault === 'change-after-end' ? { seconds: 0 } : undefined),
  ],
])('returns the money of a payout that %s once, when its POST arrives again', async (_, drafted, strike) => {
  const messages: SettlementMessage[] = [];
  const memory = newContext({
    settings: together,
    openingBalance: (currency) => Money.of('1000', currency),
    now: secondsIn(0),
    schedule: async (message) => void messages.push(message),
  });
  const posting = repeating(memory.table);
  const items = [newDraft(drafted)];
  const made = await createDisbursements({ ...memory, table: posting.table, strike }, [
    { rail: 'fiat', currency: 'PHP', items },
  ]);
  expect(made.kind).toBe('created');
  const [message] = messages;
  if (message?.kind !== 'group') throw new Error('no group was made');
  for (let settled = 1; settled <= 3; settled += 1) {
    await settleGroup(later(memory, 1000 * settled).context, message);
    await posting.repeat();
  }
  expect((await statusesOf(memory, message.groupId)).get('failed')).toHaveLength(1);
  expect((await readBalance(memory, 'PHP')).amount).toEqual(Money.of('1000', 'PHP'));
});

describe('a committed group', () => {
  it('is settled in as many transactions as its size needs', async () => {
    const { context, message } = await hundred();
    const looked = later(context, 2);
    expect(await settleGroup(looked.context, message)).toBeUndefined();
    expect(looked.transactions()).toBe(2);
    expect((await statusesOf(context, message.groupId)).get('completed')).toHaveLength(100);
  });

  it('is looked at again when its time comes', async () => {
    const { context, message } = await hundred();
    const looked = later(context, 1);
    expect(await settleGroup(looked.context, message)).toBe(posted + 2000);
    expect(looked.transactions()).toBe(0);
  });

  it('is decided again when it changed in the meantime', async () => {
    const { context, message, disbursements } = await hundred();
    const looked = later(context, 2, async (transaction) => {
      if (transaction === 1) await setDisbursementStatus(context, disbursements[0]?.disbursementId ?? '', 'failed');
    });
    expect(await settleGroup(looked.context, message)).toBeUndefined();
    const statuses = await statusesOf(context, message.groupId);
    expect(statuses.get('failed')).toHaveLength(1);
    expect(statuses.get('completed')).toHaveLength(99);
  });

  it('is looked at again for steps that became due during the writes', async () => {
    const { context, message } = await hundred(newSettings({ settlement: { minSeconds: 2, maxSeconds: 8, waves: 3 } }));
    let seconds = 2;
    const looked = later(context, 0, async () => {
      seconds += 10;
    });
    const now = () => new Date(posted + seconds * 1000);
    expect(await settleGroup({ ...looked.context, now }, message)).toBe(posted + 5000);
  });

  it('returns to the queue when others keep changing it', async () => {
    const { context, message, disbursements } = await hundred();
    const left = [...disbursements];
    const looked = later(context, 2, () =>
      setDisbursementStatus(context, left.shift()?.disbursementId ?? '', 'failed'),
    );
    await expect(settleGroup(looked.context, message)).rejects.toThrow('keep changing');
  });
});

it('a group’s message says by the real clock when its POST began', async () => {
  const messages: SettlementMessage[] = [];
  const schedule = async (message: SettlementMessage) => void messages.push(message);
  const ahead = newContext({
    now: secondsIn(3600),
    realNow: secondsIn(0),
    openingBalance: () => Money.of('1000', 'PHP'),
    schedule,
  });
  await createDisbursements(ahead, [{ rail: 'fiat', currency: 'PHP', items: [newDraft()] }]);
  expect(messages).toMatchObject([{ postedAt: new Date(posted).toISOString() }]);
});

describe('an uncommitted group', () => {
  const message = { kind: 'group', groupId: 'grp_0123456789abcdef01234567', accountId: 'merchant' } as const;
  const posting = { ...message, postedAt: new Date(posted).toISOString() };

  const month = 30 * 86_400;

  it.each([
    ['is left alone while its POST may still run', 5, 0, posted + 60_000, undefined],
    ['is deleted once its POST has surely ended', 60, 0, undefined, { state: 'abandoned' }],
    ['is left alone after the merchant’s clock jumped ahead', 5, month, posted + (60 + month) * 1000, undefined],
    ['is deleted after the merchant’s clock went back', 60, -month, undefined, { state: 'abandoned' }],
  ])('%s', async (_, seconds, ahead, next, marker) => {
    const table = new MemoryTable();
    const context = newContext({ table, now: secondsIn(seconds + ahead), realNow: secondsIn(seconds) });
    expect(await settleGroup(context, posting)).toBe(next);
    const groupItem = z.object({ state: z.string(), groupId: z.string() });
    const stored = await getItem(table, keys.group(message.groupId), groupItem);
    expect(stored).toEqual(marker && { ...marker, groupId: message.groupId });
  });
});
