import { expect, it } from 'vitest';
import type { DepositDraft } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { createDeposit } from '../../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { listDeposits } from '../../../../../functions/payment-service/store/deposits/list-deposits.ts';
import { setDepositStatus } from '../../../../../functions/payment-service/store/deposits/move-deposit.ts';
import { MemoryTable } from '../../../../support/payment-service/memory-table.ts';
import { newCryptoDeposit, newDeposit } from '../../../../support/payment-service/new-deposit.ts';

const { accountId, ...draft } = newDeposit();
const sort = { field: 'createdAt', descending: false } as const;
const page = { page: 1, limit: 10 };

const newPorts = () => ({
  table: new MemoryTable().table,
  openingBalances: (_: string, currency: string) => Money.zero(currency),
  now: () => new Date('2026-11-21T06:00:00Z'),
  pause: async () => undefined,
  random: () => 0,
  everyChange: false,
  scheduleDeposit: async () => undefined,
});

const make = (ports: ReturnType<typeof newPorts>, depositId: string, asked: DepositDraft = draft) =>
  createDeposit(ports, asked, { depositId, accountId, expiresAt: () => new Date('2026-11-21T07:00:00Z') });

it('a converted deposit is kept with its conversion fee', async () => {
  const ports = newPorts();
  await make(ports, 'dep_0', newCryptoDeposit());
  const { docs } = await listDeposits(ports, { accountId, sort, page });
  expect(docs).toMatchObject([{ output: Money.of('678.48', 'THB'), conversionFee: Money.of('3.41', 'THB') }]);
});

it.each([1, 2, 3, 4])('a page by status is what it says, whatever changes before request %s of it', async (moment) => {
  const ports = newPorts();
  for (const depositId of ['dep_0', 'dep_1', 'dep_2']) await make(ports, depositId);
  const { client } = ports.table;
  const hurried = Object.create(client);
  let sent = 0;
  hurried.send = async (command: Parameters<typeof client.send>[0]) => {
    sent += 1;
    if (sent === moment) await setDepositStatus(ports, accountId, 'dep_1', 'completed');
    return await client.send(command);
  };
  const { docs, total } = await listDeposits(
    { ...ports, table: { ...ports.table, client: hurried } },
    { accountId, status: 'pending', sort, page },
  );
  expect({ total, ids: docs.map(({ depositId }) => depositId) }).toEqual({ total: 2, ids: ['dep_0', 'dep_2'] });
});
