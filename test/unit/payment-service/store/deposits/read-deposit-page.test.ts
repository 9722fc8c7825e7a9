import { expect, it } from 'vitest';
import type { DepositDraft } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import type { Context } from '../../../../../functions/payment-service/store/context.ts';
import { setDepositStatus } from '../../../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { readDepositPage } from '../../../../../functions/payment-service/store/deposits/read-deposit-page.ts';
import { newCryptoDeposit, newDeposit } from '../../../../support/payment-service/deposits/new-deposit.ts';
import { newContext, tableWith } from '../../../../support/payment-service/new-context.ts';

const sort = { order: 'created', descending: false } as const;
const page = { page: 1, limit: 10 };

const make = (context: Context, depositId: string, asked: DepositDraft = newDeposit()) =>
  createDeposit(context, asked, { depositId, expiresAt: () => new Date('2026-11-21T07:00:00Z') });

it('a converted deposit is stored with its conversion fee', async () => {
  const context = newContext();
  await make(context, 'dep_0', newCryptoDeposit());
  const { docs } = await readDepositPage(context, { sort, page });
  expect(docs).toMatchObject([{ output: Money.of('678.48', 'THB'), conversionFee: Money.of('3.41', 'THB') }]);
});

it.each([1, 2, 3, 4])('a page by status is correct, whatever changes before its request %s', async (moment) => {
  const context = newContext();
  for (const depositId of ['dep_0', 'dep_1', 'dep_2']) await make(context, depositId);
  const table = tableWith(context.table, async (_, sent) => {
    if (sent === moment) await setDepositStatus(context, 'dep_1', 'completed');
  });
  const { docs, total } = await readDepositPage({ ...context, table }, { status: 'pending', sort, page });
  expect({ total, ids: docs.map(({ depositId }) => depositId) }).toEqual({ total: 2, ids: ['dep_0', 'dep_2'] });
});
