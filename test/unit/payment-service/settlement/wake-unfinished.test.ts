import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { DisbursementStatus } from '../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { wakeUnfinished } from '../../../../functions/payment-service/settlement/wake-unfinished.ts';
import { setDepositStatus } from '../../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../../functions/payment-service/store/deposits/create-deposit.ts';
import type { SettlementMessage } from '../../../../functions/payment-service/store/settlement-queue.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { newDeposit } from '../../../support/payment-service/deposits/new-deposit.ts';
import { ListScene } from '../../../support/payment-service/list-scene.ts';

const table = new MemoryTable();
let scene: ListScene;
let accounts = 0;

beforeEach(() => {
  accounts += 1;
  scene = new ListScene(table, `merchant-${accounts}`, { pause: async () => undefined, random: () => 0 });
});

const group = async (rail: 'fiat' | 'crypto', settled: readonly DisbursementStatus[]): Promise<string> => {
  const currency = rail === 'fiat' ? 'PHP' : 'usdc-polygon';
  const [first] = await scene.post({ rail, currency, settled });
  const groupId = first?.groupId ?? '';
  await scene.settle(groupId, settled);
  return groupId;
};

const deposit = async (depositId: string): Promise<string> => {
  await createDeposit(scene.context, newDeposit(), { depositId, expiresAt: () => new Date('2027-01-01T00:00:00Z') });
  return depositId;
};

const woken = async (): Promise<readonly string[]> => {
  const messages: { readonly message: SettlementMessage; readonly delay: number }[] = [];
  const schedule = async (message: SettlementMessage, delay: number) => void messages.push({ message, delay });
  await wakeUnfinished({ ...scene.context, schedule });
  expect(messages.filter(({ delay }) => delay > 0)).toEqual([]);
  return messages.map(({ message }) => (message.kind === 'group' ? message.groupId : message.depositId));
};

it('every group and deposit with something left to do is woken once, whatever its statuses', async () => {
  const open = [
    await group('fiat', ['pending', 'pending', 'completed']),
    await group('crypto', ['pending', 'processed', 'failed']),
    await group('crypto', ['processed']),
    await group('crypto', ['pending_retry', 'need_check']),
    await deposit('dep_open'),
  ];
  expect((await woken()).toSorted()).toEqual(open.toSorted());
});

it('groups and deposits that ended or wait for a person are left alone', async () => {
  await group('fiat', ['completed', 'failed']);
  await group('crypto', ['completed', 'canceled', 'need_check']);
  for (const status of ['expired', 'completed'] as const) {
    await setDepositStatus(scene.context, await deposit(`dep_${status}`), status);
  }
  expect(await woken()).toEqual([]);
});

it('a list longer than a page is read to its end', async () => {
  const groups: string[] = [];
  const hundred = Array.from({ length: 100 }, () => 'pending' as const);
  for (let made = 0; made < 25; made += 1) groups.push(await group('fiat', hundred));
  expect((await woken()).toSorted()).toEqual(groups.toSorted());
});

it('a list whose groups settle while it is read skips none of the others', async () => {
  const hundred = Array.from({ length: 100 }, () => 'pending' as const);
  const groups: string[] = [];
  for (let made = 0; made < 25; made += 1) groups.push(await group('fiat', hundred));
  const settling = groups.slice(0, 12);
  const send = async (command: unknown) => {
    const [next] = settling.splice(0, 1);
    if (next !== undefined)
      await scene.settle(
        next,
        hundred.map(() => 'completed'),
      );
    return table.answer(command);
  };
  const client = Object.create(table.client, { send: { value: send } });
  const named = new Set<string>();
  const schedule = async (message: SettlementMessage) =>
    void named.add(message.kind === 'group' ? message.groupId : message.depositId);
  await wakeUnfinished({ ...scene.context, table: { client, name: table.name }, schedule });
  expect(settling).toEqual([]);
  expect(groups.slice(12).filter((one) => !named.has(one))).toEqual([]);
});

it('messages are sent side by side, but at most fifty at once, so that a request has time for thousands', async () => {
  for (let made = 0; made < 120; made += 1) await deposit(`dep_side_${made}`);
  let running = 0;
  let most = 0;
  let sent = 0;
  const schedule = async () => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    sent += 1;
  };
  await wakeUnfinished({ ...scene.context, schedule });
  expect([most, sent]).toEqual([50, 120]);
});
