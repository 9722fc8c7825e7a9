import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deposit, DepositStatus } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { depositStatuses } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import { depositEntries } from '../../../../../functions/payment-service/domain/deposits/ledger-entries.ts';
import type { DepositMove } from '../../../../../functions/payment-service/domain/deposits/lifecycle.ts';
import {
  depositTransitions,
  isOverdue,
  moveDeposit,
  nextMove,
  setDepositByHand,
} from '../../../../../functions/payment-service/domain/deposits/lifecycle.ts';
import { gainOf } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { newCryptoDeposit, newDeposit } from '../../../../support/payment-service/deposits/new-deposit.ts';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const moves: readonly DepositMove[] = ['pay', 'expire', 'cancel'];

describe('a move', () => {
  it.each([
    ['pay', 'completed', 'Deposit paid'],
    ['expire', 'expired', 'Deposit expired'],
    ['cancel', 'expired', 'Deposit canceled'],
  ] as const)('to %s makes a pending deposit %s, and its history says: %s', (move, status, activity) => {
    const change = moveDeposit(newDeposit(), move, at('06:30:00.000'));
    expect(change?.after).toMatchObject({
      status,
      version: 2,
      updatedAt: '2026-11-21T06:30:00.000Z',
      changes: [{ activity, status, updatedAt: '2026-11-21T06:30:00.000Z' }],
    });
    expect(change?.after.paidAt).toBe(move === 'pay' ? '2026-11-21T06:30:00.000Z' : undefined);
  });

  it.each(moves.flatMap((move) => (['expired', 'completed'] as const).map((status) => [move, status] as const)))(
    'to %s is impossible for one that is %s',
    (move, status) => {
      expect(moveDeposit(newDeposit({ status }), move, at('06:30:00.000'))).toBeUndefined();
    },
  );

  it.each(['pay', 'cancel'] as const)(
    'to %s is impossible for an overdue deposit, but possible a moment earlier',
    (move) => {
      expect(moveDeposit(newDeposit(), move, at('06:59:59.999'))).toBeDefined();
      expect(moveDeposit(newDeposit(), move, at('07:00:00.000'))).toBeUndefined();
    },
  );
});

it('pays a deposit of the magic reference, although the clock was moved past its expiry', () => {
  const deposit = newDeposit({ outcome: 'autopay' });
  const now = at('08:00:00.000');
  expect(moveDeposit(deposit, nextMove(deposit, 5)?.move ?? 'expire', now)?.after.status).toBe('completed');
});

describe('by itself', () => {
  it.each([
    ['a deposit expires', {}, { move: 'expire', at: at('07:00:00.000').getTime() }],
    ['the magic reference pays', { outcome: 'autopay' }, { move: 'pay', at: at('06:00:05.000').getTime() }],
    ['the magic reference expires', { outcome: 'expire' }, { move: 'expire', at: at('06:00:05.000').getTime() }],
    [
      'the magic reference pays nothing after the expiry',
      { outcome: 'autopay', expiredAt: '2026-11-21T06:00:05.000Z' },
      { move: 'expire', at: at('06:00:05.000').getTime() },
    ],
    ['nothing happens to one set by hand', { outcome: 'manual' }, undefined],
    ['nothing happens to a completed one', { status: 'completed' }, undefined],
    ['nothing happens to an expired one', { status: 'expired' }, undefined],
  ] as const)('%s', (_, change, next) => {
    expect(nextMove(newDeposit(change), 5)).toEqual(next);
  });

  it.each([
    [{}, '06:59:59.999', false],
    [{}, '07:00:00.000', true],
    [{ outcome: 'manual' }, '08:00:00.000', false],
    [{ outcome: 'autopay' }, '08:00:00.000', false],
    [{ status: 'completed' }, '08:00:00.000', false],
  ] as const)('a deposit with %o at %s is overdue: %s', (change, time, overdue) => {
    expect(isOverdue(newDeposit(change), at(time))).toBe(overdue);
  });
});

describe('the ledger', () => {
  const pay = (deposit: Deposit) => {
    const change = moveDeposit(deposit, 'pay', at('06:30:00.000'));
    if (change === undefined) throw new Error('not paid');
    return change;
  };

  it('credits a paid deposit less its fee', () => {
    expect(depositEntries(pay(newDeposit()))).toEqual([
      {
        id: 'dep_0123456789abcdef01234567#2',
        kind: 'deposit',
        at: '2026-11-21T06:30:00.000Z',
        currency: 'PHP',
        postings: [
          { account: 'balance', amount: Money.of('985', 'PHP') },
          { account: 'deposits', amount: Money.of('-1000', 'PHP') },
          { account: 'fees', amount: Money.of('15', 'PHP') },
        ],
      },
    ]);
  });

  it('moves a converted deposit through the exchange, in two currencies', () => {
    expect(depositEntries(pay(newCryptoDeposit())).map(({ currency, postings }) => ({ currency, postings }))).toEqual([
      {
        currency: 'usdc-polygon',
        postings: [
          { account: 'deposits', amount: Money.of('-20', 'usdc-polygon') },
          { account: 'exchange', amount: Money.of('19.95', 'usdc-polygon') },
          { account: 'fees', amount: Money.of('0.05', 'usdc-polygon') },
        ],
      },
      {
        currency: 'THB',
        postings: [
          { account: 'balance', amount: Money.of('678.48', 'THB') },
          { account: 'exchange', amount: Money.of('-681.89', 'THB') },
          { account: 'fees', amount: Money.of('3.41', 'THB') },
        ],
      },
    ]);
  });

  it.each(['expire', 'cancel'] as const)('does not move when deposits %s', (move) => {
    const change = moveDeposit(newDeposit(), move, at('06:30:00.000'));
    expect(change && depositEntries(change)).toEqual([]);
  });

  it('credits a deposit exactly while it is completed, however often its status is set, and always balances', () => {
    const statuses = fc.array(fc.constantFrom<DepositStatus>(...depositStatuses), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(newDeposit(), newCryptoDeposit()), statuses, (first, wanted) => {
        let deposit = first;
        const gains: Money[] = [];
        for (const status of wanted) {
          const change = setDepositByHand(deposit, status, at('06:30:00.000'));
          for (const entry of depositEntries(change)) {
            const amounts = entry.postings.map(({ amount }) => amount);
            expect(Money.sum(entry.currency, amounts).isZero()).toBe(true);
            if (entry.currency === deposit.output.currency) gains.push(gainOf(entry, 'balance'));
          }
          deposit = change.after;
        }
        const credited = Money.sum(first.output.currency, gains);
        expect(credited).toEqual(deposit.status === 'completed' ? first.output : Money.zero(first.output.currency));
        expect(deposit.paidAt === undefined).toBe(deposit.status !== 'completed');
      }),
    );
  });

  it('takes a credit back under its own entry kind', () => {
    const paid = pay(newDeposit()).after;
    const [entry] = depositEntries(setDepositByHand(paid, 'pending', at('06:31:00.000')));
    expect(entry).toMatchObject({ kind: 'deposit_status', id: 'dep_0123456789abcdef01234567#3' });
    expect(entry && gainOf(entry, 'balance')).toEqual(Money.of('-985', 'PHP'));
  });
});

it('a sandbox update sets any status, after which nothing moves by itself', () => {
  for (const from of depositStatuses) {
    for (const to of depositStatuses) {
      const { after } = setDepositByHand(newDeposit({ status: from }), to, at('09:00:00.000'));
      expect(after).toMatchObject({ status: to, outcome: 'manual' });
      expect(nextMove(after, 5)).toBeUndefined();
    }
  }
});

it('every move has its own activity', () => {
  const activities = Object.values(depositTransitions).map(({ activity }) => activity);
  expect(new Set(activities).size).toBe(activities.length);
});
