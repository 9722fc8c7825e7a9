import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Checkout } from '../../../functions/payment-service/domain/deposits/checkout.ts';
import { checkoutIdFrom } from '../../../functions/payment-service/domain/deposits/checkout.ts';
import type { DepositDraft } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import { depositIdFrom } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import { gainOf } from '../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../functions/payment-service/store/balances.ts';
import type { CheckoutPorts } from '../../../functions/payment-service/store/deposits/checkouts.ts';
import {
  checkoutState,
  findCheckout,
  keepCheckout,
  pickMethod,
} from '../../../functions/payment-service/store/deposits/checkouts.ts';
import { createDeposit } from '../../../functions/payment-service/store/deposits/create-deposit.ts';
import { listDeposits } from '../../../functions/payment-service/store/deposits/list-deposits.ts';
import {
  findDeposit,
  makeMove,
  setDepositStatus,
} from '../../../functions/payment-service/store/deposits/move-deposit.ts';
import { keys } from '../../../functions/payment-service/store/keys.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { readEntries } from '../../support/payment-service/ledger-entries.ts';
import { uniqueWord } from '../../support/payment-service/merchant.ts';
import { newAccount } from '../../support/payment-service/new-account.ts';
import { dropServiceTable, makeServiceTable } from '../../support/payment-service/service-table.ts';

let table: Table;
beforeAll(async () => {
  table = await makeServiceTable(`deposits-${uniqueWord()}`);
});
afterAll(() => dropServiceTable(table));

const started = Date.parse('2026-11-21T06:00:00.000Z');
const pesos = (amount: string): Money => Money.of(amount, 'PHP');
const openingBalances = (_: string, currency: string): Money => Money.zero(currency);

/** The store's ports for one account, by a clock that the test moves. */
const sandbox = (change: Partial<CheckoutPorts> = {}) => {
  const account = newAccount({ clientId: `m-${uniqueWord()}` });
  const scheduled: string[] = [];
  const clock = { now: started };
  const ports: CheckoutPorts = {
    table,
    openingBalances,
    now: () => new Date(clock.now),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    random: Math.random,
    everyChange: false,
    rates: {},
    conversionFeePercentage: '0.5',
    scheduleDeposit: async ({ depositId }, _, expiresAt) => {
      scheduled.push(`${depositId} ${expiresAt.toISOString()}`);
    },
    ...change,
  };
  return { account, accountId: account.accountId, ports, clock, scheduled };
};

const draft: DepositDraft = {
  depositType: 'fiat',
  input: pesos('1000'),
  fee: pesos('15'),
  feePercentage: '0',
  output: pesos('985'),
  paymentMethod: 'BDO',
  outcome: 'standard',
};

const created = async (ports: CheckoutPorts, accountId: string, change: Partial<DepositDraft> = {}) => {
  const outcome = await createDeposit(
    ports,
    { ...draft, ...change },
    {
      depositId: depositIdFrom(`${uniqueWord()}${uniqueWord()}`),
      accountId,
      expiresAt: (createdAt) => new Date(createdAt.getTime() + 3_600_000),
    },
  );
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.deposit;
};

const balance = async (accountId: string) => (await readBalance(table, openingBalances, accountId, 'PHP')).amount;
const announced = z.object({ announce: z.string().optional() });

/** The status that the webhook on its way tells of; undefined when there is none on its way. */
const announcedStatus = async (depositId: string): Promise<unknown> => {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: keys.deposit(depositId) }));
  const { announce } = announced.parse(Item);
  if (announce === undefined) return undefined;
  const { data } = JSON.parse(JSON.parse(announce).body);
  expect(data.orderId).toBe(depositId);
  return data.status;
};

describe('a deposit past its time', () => {
  it('is scheduled to be looked at then', async () => {
    const { ports, accountId, scheduled } = sandbox();
    const { depositId, expiredAt } = await created(ports, accountId);
    expect(scheduled).toEqual([`${depositId} ${expiredAt}`]);
  });

  it('is shown as expired by whoever reads it first, in detail and in lists', async () => {
    const { ports, accountId, clock } = sandbox();
    const [one, other] = [await created(ports, accountId), await created(ports, accountId)];
    const list = (status?: 'pending' | 'expired') =>
      listDeposits(ports, {
        accountId,
        status,
        sort: { field: 'createdAt', descending: false },
        page: { page: 1, limit: 10 },
      });
    clock.now = started + 3_599_999;
    expect((await list('pending')).total).toBe(2);
    clock.now = started + 3_600_000;
    expect(await findDeposit(ports, accountId, 'fiat', one.depositId)).toMatchObject({
      status: 'expired',
      changes: [{ activity: 'Deposit expired' }],
    });
    const all = await list();
    expect(all.docs.map(({ depositId, status }) => [depositId, status])).toEqual([
      [one.depositId, 'expired'],
      [other.depositId, 'expired'],
    ]);
    expect([(await list('pending')).total, (await list('expired')).total]).toEqual([0, 2]);
  });

  it.each(['pay', 'cancel'] as const)('cannot be changed by %s any more', async (move) => {
    const { ports, accountId, clock } = sandbox();
    const { depositId } = await created(ports, accountId);
    clock.now = started + 3_600_000;
    expect(await makeMove(ports, depositId, move)).toMatchObject({
      kind: 'not_pending',
      deposit: { status: 'expired', changes: [{ activity: 'Deposit expired' }] },
    });
    expect(await balance(accountId)).toEqual(pesos('0'));
  });
});

describe('at once', () => {
  it('a payment, a cancellation and an expiry make one change, and the money is that of the change', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ports, accountId } = sandbox();
      const { depositId } = await created(ports, accountId);
      const outcomes = await Promise.all(
        (['pay', 'cancel', 'expire', 'pay'] as const).map((move) => makeMove(ports, depositId, move)),
      );
      expect(outcomes.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
      const deposit = await findDeposit(ports, accountId, 'fiat', depositId);
      expect(deposit?.changes).toHaveLength(1);
      expect(await balance(accountId)).toEqual(pesos(deposit?.status === 'completed' ? '985' : '0'));
    }
  });

  it('twenty payments of twenty deposits all arrive, and the ledger adds up to the balance', async () => {
    const { ports, accountId } = sandbox();
    const deposits = await Promise.all(Array.from({ length: 20 }, () => created(ports, accountId)));
    expect(new Set(deposits.map(({ listNumber }) => listNumber)).size).toBe(20);
    await Promise.all(deposits.map(({ depositId }) => makeMove(ports, depositId, 'pay')));
    expect(await balance(accountId)).toEqual(pesos('19700'));
    const entries = await readEntries(table, accountId, 'PHP');
    const gained = (account: 'balance' | 'fees') =>
      Money.sum<string>(
        'PHP',
        entries.map((entry) => gainOf(entry, account)),
      );
    expect(gained('balance')).toEqual(pesos('19700'));
    expect(gained('fees')).toEqual(pesos('300'));
  });
});

describe('webhooks', () => {
  it.each([
    ['pay', false, 'completed'],
    ['cancel', false, undefined],
    ['expire', false, undefined],
    ['cancel', true, 'expired'],
    ['expire', true, 'expired'],
  ] as const)('of %s, with every change announced: %s', async (move, everyChange, status) => {
    const { ports, accountId } = sandbox({ everyChange });
    const { depositId } = await created(ports, accountId);
    expect(await announcedStatus(depositId)).toBeUndefined();
    await makeMove(ports, depositId, move);
    expect(await announcedStatus(depositId)).toBe(status);
  });

  it('are sent for every sandbox update, and an old one is not sent again by what follows', async () => {
    const { ports, accountId } = sandbox();
    const { depositId } = await created(ports, accountId);
    for (const status of ['expired', 'expired', 'completed', 'pending'] as const) {
      await setDepositStatus(ports, accountId, depositId, status);
      expect(await announcedStatus(depositId)).toBe(status);
    }
    await makeMove(ports, depositId, 'cancel');
    expect(await announcedStatus(depositId)).toBeUndefined();
  });
});

describe('a checkout', () => {
  const opened = async (change: Partial<Checkout> = {}) => {
    const { ports, account, accountId, clock } = sandbox();
    const checkout: Checkout = {
      checkoutId: checkoutIdFrom(`${uniqueWord()}${uniqueWord()}${uniqueWord()}`.slice(0, 32)),
      account,
      inputCurrency: 'PHP',
      outputAmount: pesos('1000'),
      outputCurrency: 'PHP',
      createdAt: new Date(started).toISOString(),
      expiresAt: new Date(started + 900_000).toISOString(),
      ...change,
    };
    await keepCheckout(table, checkout);
    return { ports, accountId, clock, checkout };
  };

  it('is found as it was kept', async () => {
    const { checkout } = await opened({ inputAmount: pesos('1100') });
    expect(await findCheckout(table, checkout.checkoutId)).toEqual(checkout);
    expect(await findCheckout(table, checkoutIdFrom('0'.repeat(32)))).toBeUndefined();
    expect(await findCheckout(table, 'dep_0')).toBeUndefined();
  });

  it('makes one deposit of eight picks at once, and tells all of them about it', async () => {
    const { ports, accountId, checkout } = await opened();
    const codes = ['BDO', 'UBP', 'GCASH', 'MAYA', 'QRPH', 'BDO', 'GCASH', 'QRPH'];
    const picked = await Promise.all(codes.map((code) => pickMethod(ports, checkout, code)));
    const deposits = picked.map((one) => (one.kind === 'picked' ? one.deposit : undefined));
    expect(new Set(deposits.map((one) => `${one?.depositId} ${one?.paymentMethod}`)).size).toBe(1);
    expect(deposits[0]).toMatchObject({ depositId: checkout.checkoutId, expiredAt: checkout.expiresAt });
    const sort = { field: 'createdAt', descending: false } as const;
    expect((await listDeposits(ports, { accountId, sort, page: { page: 1, limit: 10 } })).total).toBe(1);
  });

  it('is open until its time is over, and then abandoned for ever when nobody picked', async () => {
    const { ports, clock, checkout } = await opened();
    clock.now = started + 899_999;
    expect(await checkoutState(ports, checkout)).toMatchObject({ kind: 'open' });
    clock.now = started + 900_000;
    expect(await checkoutState(ports, checkout)).toMatchObject({ kind: 'abandoned' });
    expect(await pickMethod(ports, checkout, 'BDO')).toMatchObject({ kind: 'abandoned' });
    expect(await findDeposit(ports, checkout.account.accountId, 'fiat', checkout.checkoutId)).toBeUndefined();
  });

  it('has its deposit expire with it', async () => {
    const { ports, clock, checkout } = await opened();
    await pickMethod(ports, checkout, 'GCASH');
    clock.now = started + 899_999;
    expect(await checkoutState(ports, checkout)).toMatchObject({ kind: 'picked', deposit: { status: 'pending' } });
    clock.now = started + 900_000;
    expect(await makeMove(ports, checkout.checkoutId, 'pay')).toMatchObject({ kind: 'not_pending' });
    expect(await checkoutState(ports, checkout)).toMatchObject({ kind: 'picked', deposit: { status: 'expired' } });
  });

  it('stays paid after its time', async () => {
    const { ports, accountId, clock, checkout } = await opened();
    await pickMethod(ports, checkout, 'BDO');
    expect(await makeMove(ports, checkout.checkoutId, 'pay')).toMatchObject({ kind: 'moved' });
    clock.now = started + 900_000;
    expect(await checkoutState(ports, checkout)).toMatchObject({ deposit: { status: 'completed' } });
    expect(await balance(accountId)).toEqual(pesos('1000'));
  });

  it('takes only a method that it offers', async () => {
    const { ports, checkout } = await opened({ outputAmount: pesos('60000') });
    expect(await pickMethod(ports, checkout, 'QRPH')).toEqual({ kind: 'not_offered' });
    expect(await pickMethod(ports, checkout, 'BCA')).toEqual({ kind: 'not_offered' });
  });
});
