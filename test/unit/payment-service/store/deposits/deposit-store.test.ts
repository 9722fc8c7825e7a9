import { setImmediate as nextTurn } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mostChanges } from '../../../../../functions/payment-service/domain/activity.ts';
import type { Checkout } from '../../../../../functions/payment-service/domain/deposits/checkout.ts';
import { checkoutIdFrom } from '../../../../../functions/payment-service/domain/deposits/checkout.ts';
import type { DepositDraft } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { depositIdFrom } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { gainOf } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import type { Context } from '../../../../../functions/payment-service/store/context.ts';
import {
  makeDepositMove,
  setDepositStatus,
} from '../../../../../functions/payment-service/store/deposits/change-deposit.ts';
import {
  checkoutState,
  findCheckout,
  keepCheckout,
  pickMethod,
} from '../../../../../functions/payment-service/store/deposits/checkouts.ts';
import { createDeposit } from '../../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { findDeposit } from '../../../../../functions/payment-service/store/deposits/find-deposit.ts';
import { readDepositPage } from '../../../../../functions/payment-service/store/deposits/read-deposit-page.ts';
import { keys } from '../../../../../functions/payment-service/store/keys.ts';
import type { SettlementMessage } from '../../../../../functions/payment-service/store/settlement-queue.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { readEntries } from '../../../../support/payment-service/ledger-entries.ts';
import { newAccount } from '../../../../support/payment-service/new-account.ts';
import { newContext, newSettings } from '../../../../support/payment-service/new-context.ts';
import { uniqueWord } from '../../../../support/payment-service/unique-word.ts';

const table = new MemoryTable();

const started = Date.parse('2026-11-21T06:00:00.000Z');
const pesos = (amount: string): Money => Money.of(amount, 'PHP');

/** An account with its own clock, which the test moves. */
const sandbox = (everyChange = false) => {
  const account = newAccount({ clientId: `m-${uniqueWord()}` });
  const scheduled: { readonly message: SettlementMessage; readonly delay: number }[] = [];
  const clock = { now: started };
  const context = newContext({
    table,
    accountId: account.accountId,
    settings: newSettings({ webhooks: { everyChange } }),
    now: () => new Date(clock.now),
    pause: () => nextTurn(),
    random: Math.random,
    schedule: async (message, delay) => {
      scheduled.push({ message, delay });
    },
  });
  return { account, context, clock, scheduled };
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

const created = async (context: Context) => {
  const outcome = await createDeposit(context, draft, {
    depositId: depositIdFrom(`${uniqueWord()}${uniqueWord()}`),
    expiresAt: (createdAt) => new Date(createdAt.getTime() + 3_600_000),
  });
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.deposit;
};

const balance = async (context: Context) => (await readBalance(context, 'PHP')).amount;
const announced = z.object({ announce: z.string().optional() });

/** Returns the status in the outgoing webhook. Undefined when there is none. */
const announcedStatus = async (depositId: string): Promise<unknown> => {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: keys.deposit(depositId) }));
  const { announce } = announced.parse(Item);
  if (announce === undefined) return undefined;
  const { data } = JSON.parse(JSON.parse(announce).body);
  expect(data.orderId).toBe(depositId);
  return data.status;
};

it.each([
  ['once more', true],
  ['no more', false],
])(
  'a deposit written by an attempt given up before is created once, when there is time to try %s',
  async (_, hasTime) => {
    const { context } = sandbox();
    const outcome = await createDeposit(
      { ...context, table: withLateAttempt(table, 'DEPOSIT#'), hasTime: () => hasTime },
      { ...draft, reference: 'order-7' },
      { depositId: depositIdFrom(`${uniqueWord()}${uniqueWord()}`), expiresAt: () => new Date(started + 3_600_000) },
    );
    expect(outcome).toEqual({ kind: 'created', deposit: await findDeposit(context, 'fiat', 'order-7') });
  },
);

describe('an overdue deposit', () => {
  it('is scheduled for a check at its expiry', async () => {
    const { context, scheduled } = sandbox();
    const { depositId, createdAt: postedAt } = await created(context);
    const { accountId } = context;
    // An hour is longer than the queue can delay a message.
    expect(scheduled).toEqual([{ message: { kind: 'deposit', depositId, accountId, postedAt }, delay: 900 }]);
  });

  it('is shown as expired by the first reader, in detail and in lists', async () => {
    const { context, clock } = sandbox();
    const [one, other] = [await created(context), await created(context)];
    const list = (status?: 'pending' | 'expired') =>
      readDepositPage(context, {
        status,
        sort: { order: 'created', descending: false },
        page: { page: 1, limit: 10 },
      });
    clock.now = started + 3_599_999;
    expect((await list('pending')).total).toBe(2);
    clock.now = started + 3_600_000;
    expect(await findDeposit(context, 'fiat', one.depositId)).toMatchObject({
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

  it('is not on any page of pending ones, however many are overdue', async () => {
    const { context, clock } = sandbox();
    for (let count = 0; count < 3; count += 1) await created(context);
    clock.now = started + 3_600_000;
    const { docs, total } = await readDepositPage(context, {
      status: 'pending',
      sort: { order: 'created', descending: false },
      page: { page: 1, limit: 1 },
    });
    expect({ docs, total }).toEqual({ docs: [], total: 0 });
  });

  it.each(['pay', 'cancel'] as const)('can no longer be changed by %s', async (move) => {
    const { context, clock } = sandbox();
    const { depositId } = await created(context);
    clock.now = started + 3_600_000;
    expect(await makeDepositMove(context, depositId, move)).toMatchObject({
      kind: 'not_pending',
      deposit: { status: 'expired', changes: [{ activity: 'Deposit expired' }] },
    });
    expect(await balance(context)).toEqual(pesos('0'));
  });
});

it('a payment after the clock was set back has one moment, that of the list', async () => {
  const { context, clock } = sandbox();
  clock.now = started + 3_600_000;
  const { depositId, createdAt } = await created(context);
  clock.now = started;
  expect(await makeDepositMove(context, depositId, 'pay')).toMatchObject({
    kind: 'changed',
    deposit: { paidAt: createdAt, updatedAt: createdAt, changes: [{ updatedAt: createdAt }] },
  });
});

it.each([
  ['a payment', 'completed', (context: Context, id: string) => makeDepositMove(context, id, 'pay')],
  ['a cancellation', 'expired', (context: Context, id: string) => makeDepositMove(context, id, 'cancel')],
  ['a sandbox update', 'completed', (context: Context, id: string) => setDepositStatus(context, id, 'completed')],
] as const)(
  '%s written by an attempt given up before is made once, and answered as made',
  async (_, status, change) => {
    const { context } = sandbox();
    const { depositId } = await created(context);
    const late = { ...context, table: withLateAttempt(table, 'DEPOSIT#') };
    expect(await change(late, depositId)).toMatchObject({
      kind: 'changed',
      deposit: { status, changes: [{ status }] },
    });
    expect((await findDeposit(context, 'fiat', depositId))?.changes).toHaveLength(1);
  },
);

describe('concurrently', () => {
  it('a payment, a cancellation and an expiry make one change, and the money matches it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { context } = sandbox();
      const { depositId } = await created(context);
      const outcomes = await Promise.all(
        (['pay', 'cancel', 'expire', 'pay'] as const).map((move) => makeDepositMove(context, depositId, move)),
      );
      expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
      const deposit = await findDeposit(context, 'fiat', depositId);
      expect(deposit?.changes).toHaveLength(1);
      expect(await balance(context)).toEqual(pesos(deposit?.status === 'completed' ? '985' : '0'));
    }
  });

  it('twenty payments of twenty deposits all succeed, and the ledger adds up to the balance', async () => {
    const { context } = sandbox();
    const deposits = await Promise.all(Array.from({ length: 20 }, () => created(context)));
    expect(new Set(deposits.map(({ listNumber }) => listNumber)).size).toBe(20);
    await Promise.all(deposits.map(({ depositId }) => makeDepositMove(context, depositId, 'pay')));
    expect(await balance(context)).toEqual(pesos('19700'));
    const entries = await readEntries(table, context.accountId, 'PHP');
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
  ] as const)('after %s, with every change announced %s', async (move, everyChange, status) => {
    const { context } = sandbox(everyChange);
    const { depositId } = await created(context);
    expect(await announcedStatus(depositId)).toBeUndefined();
    await makeDepositMove(context, depositId, move);
    expect(await announcedStatus(depositId)).toBe(status);
  });

  it('announce every sandbox update, and later changes do not repeat them', async () => {
    const { context } = sandbox();
    const { depositId } = await created(context);
    for (const status of ['expired', 'expired', 'completed', 'pending'] as const) {
      await setDepositStatus(context, depositId, status);
      expect(await announcedStatus(depositId)).toBe(status);
    }
    await makeDepositMove(context, depositId, 'cancel');
    expect(await announcedStatus(depositId)).toBeUndefined();
  });
});

describe('a checkout', () => {
  const opened = async (change: Partial<Checkout> = {}) => {
    const { context, account, clock } = sandbox();
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
    return { context, clock, checkout };
  };

  it('is read as it was stored', async () => {
    const { checkout } = await opened({ inputAmount: pesos('1100') });
    expect(await findCheckout(table, checkout.checkoutId)).toEqual(checkout);
    expect(await findCheckout(table, checkoutIdFrom('0'.repeat(32)))).toBeUndefined();
    expect(await findCheckout(table, 'dep_0')).toBeUndefined();
  });

  it('is stored by a write that the client repeats, because its answer was lost', async () => {
    const { checkout } = await opened();
    await keepCheckout(table, checkout);
    expect(await findCheckout(table, checkout.checkoutId)).toEqual(checkout);
  });

  it('makes one deposit for eight concurrent picks, and all of them get it', async () => {
    const { context, checkout } = await opened();
    const codes = ['BDO', 'UBP', 'GCASH', 'MAYA', 'QRPH', 'BDO', 'GCASH', 'QRPH'];
    const picked = await Promise.all(codes.map((code) => pickMethod(context, checkout, code)));
    expect(picked).toEqual(codes.map(() => 'done'));
    expect(await checkoutState(context, checkout)).toMatchObject({
      kind: 'picked',
      deposit: { depositId: checkout.checkoutId, expiredAt: checkout.expiresAt },
    });
    const sort = { order: 'created', descending: false } as const;
    expect((await readDepositPage(context, { sort, page: { page: 1, limit: 10 } })).total).toBe(1);
  });

  it('is open until its expiry, and then stays abandoned if no method was picked', async () => {
    const { context, clock, checkout } = await opened();
    clock.now = started + 899_999;
    expect(await checkoutState(context, checkout)).toMatchObject({ kind: 'open' });
    clock.now = started + 900_000;
    expect(await checkoutState(context, checkout)).toMatchObject({ kind: 'abandoned' });
    expect(await pickMethod(context, checkout, 'BDO')).toBe('done');
    expect(await findDeposit(context, 'fiat', checkout.checkoutId)).toBeUndefined();
  });

  it('gets no deposit once it has expired, although its method was picked in time', async () => {
    const { context, clock, checkout } = await opened();
    // The pick waits for others that use the list.
    const schedule = async () => {
      clock.now = started + 900_000;
    };
    expect(await pickMethod({ ...context, schedule }, checkout, 'BDO')).toBe('done');
    expect(await findDeposit(context, 'fiat', checkout.checkoutId)).toBeUndefined();
    expect(await checkoutState(context, checkout)).toMatchObject({ kind: 'abandoned' });
  });

  it('gets its deposit while it is open, although the clock was set back and the list has later moments', async () => {
    const { context, clock, checkout } = await opened();
    clock.now = started + 3_600_000;
    const { createdAt } = await created(context);
    clock.now = started;
    expect(await pickMethod(context, checkout, 'BDO')).toBe('done');
    expect(await checkoutState(context, checkout)).toMatchObject({
      kind: 'picked',
      deposit: { status: 'pending', createdAt, expiredAt: checkout.expiresAt },
    });
    expect(await makeDepositMove(context, checkout.checkoutId, 'pay')).toMatchObject({ kind: 'changed' });
  });

  it('expires together with its deposit', async () => {
    const { context, clock, checkout } = await opened();
    await pickMethod(context, checkout, 'GCASH');
    clock.now = started + 899_999;
    expect(await checkoutState(context, checkout)).toMatchObject({ kind: 'picked', deposit: { status: 'pending' } });
    clock.now = started + 900_000;
    expect(await makeDepositMove(context, checkout.checkoutId, 'pay')).toMatchObject({ kind: 'not_pending' });
    expect(await checkoutState(context, checkout)).toMatchObject({ kind: 'picked', deposit: { status: 'expired' } });
  });

  it('stays paid after its expiry', async () => {
    const { context, clock, checkout } = await opened();
    await pickMethod(context, checkout, 'BDO');
    expect(await makeDepositMove(context, checkout.checkoutId, 'pay')).toMatchObject({ kind: 'changed' });
    clock.now = started + 900_000;
    expect(await checkoutState(context, checkout)).toMatchObject({ deposit: { status: 'completed' } });
    expect(await balance(context)).toEqual(pesos('1000'));
  });

  it('accepts only a method that it offers', async () => {
    const { context, checkout } = await opened({ outputAmount: pesos('60000') });
    expect(await pickMethod(context, checkout, 'QRPH')).toBe('not_offered');
    expect(await pickMethod(context, checkout, 'BCA')).toBe('not_offered');
  });
});

it('a deposit with as many changes by hand as it may have can still be paid, but not changed by hand', async () => {
  const { context } = sandbox();
  const { depositId } = await created(context);
  const statuses = Array.from({ length: mostChanges }, (_, index) => (index % 2 === 0 ? 'expired' : 'pending'));
  for (const status of statuses)
    expect(await setDepositStatus(context, depositId, status)).toMatchObject({ kind: 'changed' });
  expect(await setDepositStatus(context, depositId, 'expired')).toEqual({ kind: 'too_many_changes' });
  expect(await makeDepositMove(context, depositId, 'pay')).toMatchObject({ kind: 'changed' });
});
