import { expect, it } from 'vitest';
import { createDeposit } from '../../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { listDeposits } from '../../../../../functions/payment-service/store/deposits/list-deposits.ts';
import { setDepositStatus } from '../../../../../functions/payment-service/store/deposits/move-deposit.ts';
import { MemoryTable } from '../../../../support/payment-service/memory-table.ts';
import { newDeposit } from '../../../../support/payment-service/new-deposit.ts';

it.each([1, 2, 3, 4])('a page by status is what it says, whatever changes before request %s of it', async (moment) => {
  const { table } = new MemoryTable();
  const ports = {
    table,
    openingBalances: () => '0',
    now: () => new Date('2026-11-21T06:00:00Z'),
    pause: async () => undefined,
    random: () => 0,
    everyChange: false,
    scheduleDeposit: async () => undefined,
  };
  const { accountId, ...draft } = newDeposit();
  for (const depositId of ['dep_0', 'dep_1', 'dep_2']) {
    const expiresAt = () => new Date('2026-11-21T07:00:00Z');
    await createDeposit(ports, draft, { depositId, accountId, expiresAt });
  }
  const { client } = table;
  const hurried = Object.create(client);
  let sent = 0;
  hurried.send = async (command: Parameters<typeof client.send>[0]) => {
    sent += 1;
    if (sent === moment) await setDepositStatus(ports, accountId, 'dep_1', 'completed');
    return await client.send(command);
  };
  const { docs, total } = await listDeposits(
    { ...ports, table: { ...table, client: hurried } },
    {
      accountId,
      status: 'pending',
      sort: { field: 'createdAt', descending: false },
      page: { page: 1, limit: 10 },
    },
  );
  expect({ total, ids: docs.map(({ depositId }) => depositId) }).toEqual({ total: 2, ids: ['dep_0', 'dep_2'] });
});
