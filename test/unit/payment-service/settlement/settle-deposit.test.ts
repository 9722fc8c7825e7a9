import { describe, expect, it } from 'vitest';
import type { Deposit } from '../../../../functions/payment-service/domain/deposits/deposit.ts';
import type { DepositSettlementPorts } from '../../../../functions/payment-service/settlement/settle-deposit.ts';
import { settleDeposit } from '../../../../functions/payment-service/settlement/settle-deposit.ts';
import type { MovedDeposit } from '../../../../functions/payment-service/store/deposits/move-deposit.ts';
import { newDeposit } from '../../../support/payment-service/new-deposit.ts';

const created = Date.parse('2026-11-21T06:00:00.000Z');
const message = {
  kind: 'deposit' as const,
  depositId: 'dep_0123456789abcdef01234567',
  accountId: 'merchant',
  postedAt: '2026-11-21T06:00:00.000Z',
};

const look = (deposit: Deposit | undefined, secondsAfter: number, outcome?: MovedDeposit) => {
  const moves: string[] = [];
  const ports: DepositSettlementPorts = {
    autopaySeconds: 5,
    now: () => new Date(created + secondsAfter * 1000),
    readDeposit: async () => deposit,
    makeMove: async (depositId, move) => {
      moves.push(`${move} ${depositId}`);
      return outcome ?? { kind: 'moved', deposit: newDeposit() };
    },
  };
  return { moves, next: settleDeposit(ports, message) };
};

describe('a look at a deposit', () => {
  it.each([
    ['before its time comes again then', newDeposit(), 100, [], created + 3_600_000],
    ['at its time expires it', newDeposit(), 3600, ['expire'], undefined],
    ['whose reference says so pays it', newDeposit({ outcome: 'autopay' }), 5, ['pay'], undefined],
    ['too early for that comes again', newDeposit({ outcome: 'autopay' }), 4, [], created + 5000],
    ['whose reference says so expires it', newDeposit({ outcome: 'expire' }), 5, ['expire'], undefined],
    ['that was set by hand leaves it alone', newDeposit({ outcome: 'manual' }), 7200, [], undefined],
    ['that is completed leaves it alone', newDeposit({ status: 'completed' }), 7200, [], undefined],
    ['that is not there yet comes again soon', undefined, 10, [], created + 15_000],
    ['that is not there after a minute is the last', undefined, 60, [], undefined],
  ])('%s', async (_, deposit, seconds, moves, next) => {
    const looked = look(deposit, seconds);
    expect(await looked.next).toBe(next);
    expect(looked.moves).toEqual(moves.map((move) => `${move} ${message.depositId}`));
  });

  it('that others change all the time is repeated by the queue', async () => {
    await expect(look(newDeposit(), 3600, { kind: 'busy' }).next).rejects.toThrow('changed by others');
  });

  it('that somebody else has moved meanwhile is the last', async () => {
    const paid = { kind: 'not_pending', deposit: newDeposit({ status: 'completed' }) } as const;
    expect(await look(newDeposit(), 3600, paid).next).toBeUndefined();
  });
});
