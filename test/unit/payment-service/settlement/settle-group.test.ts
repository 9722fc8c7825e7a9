import { describe, expect, it } from 'vitest';
import type { StatusChange } from '../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import { delaySeconds } from '../../../../functions/payment-service/settlement/message.ts';
import type { SettlementPorts } from '../../../../functions/payment-service/settlement/settle-group.ts';
import { settleGroup } from '../../../../functions/payment-service/settlement/settle-group.ts';
import type { CommittedGroup } from '../../../../functions/payment-service/store/disbursements/disbursement-item.ts';
import type { WholeGroup } from '../../../../functions/payment-service/store/disbursements/groups.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';

const posted = Date.parse('2026-11-21T06:00:00.000Z');
const message = {
  kind: 'group' as const,
  groupId: 'grp_0123456789abcdef01234567',
  accountId: 'merchant',
  postedAt: new Date(posted).toISOString(),
};

const group: CommittedGroup = {
  state: 'committed',
  groupId: message.groupId,
  accountId: 'merchant',
  rail: 'fiat',
  currency: 'PHP',
  count: 100,
  listNumber: 1,
  changeNumber: 1,
  balanceBefore: Money.of('100000', 'PHP'),
  createdAt: message.postedAt,
};

const hundred: WholeGroup = {
  kind: 'committed',
  group,
  disbursements: Array.from({ length: 100 }, (_, position) => newDisbursement({ position })),
};

const ports = (secondsLater: number, whole: WholeGroup, change: Partial<SettlementPorts> = {}) => {
  const written: (readonly StatusChange[])[] = [];
  const cleared: string[] = [];
  const made: SettlementPorts = {
    times: { minSeconds: 2, maxSeconds: 2, waves: 1, lateSeconds: 60 },
    now: () => new Date(posted + secondsLater * 1000),
    readWholeGroup: async () => whole,
    changeStatuses: async (_, changes) => {
      written.push(changes);
      return { kind: 'changed' };
    },
    fileValues: async () => true,
    clearAway: async (_, groupId) => {
      cleared.push(groupId);
    },
    pause: async () => undefined,
    ...change,
  };
  return { made, written, cleared };
};

describe('a group that is committed', () => {
  it('is settled in as many transactions as its size takes', async () => {
    const { made, written } = ports(2, hundred);
    expect(await settleGroup(made, message)).toBeUndefined();
    expect(written.map((changes) => changes.length)).toEqual([87, 13]);
  });

  it('is looked at again when its time comes', async () => {
    const { made, written } = ports(1, hundred);
    expect(await settleGroup(made, message)).toBe(posted + 2000);
    expect(written).toEqual([]);
  });

  it('is decided on anew when somebody else changed it meanwhile', async () => {
    let tries = 0;
    const { made } = ports(2, hundred, {
      changeStatuses: async () => {
        tries += 1;
        return tries === 1 ? { kind: 'outdated' } : { kind: 'changed' };
      },
    });
    await settleGroup(made, message);
    expect(tries).toBe(3);
  });

  it('is looked at again for what became due while its changes were written', async () => {
    let seconds = 2;
    const { made } = ports(0, hundred, {
      times: { minSeconds: 2, maxSeconds: 8, waves: 3, lateSeconds: 60 },
      now: () => new Date(posted + seconds * 1000),
      changeStatuses: async () => {
        seconds += 10;
        return { kind: 'changed' };
      },
    });
    expect(await settleGroup(made, message)).toBe(posted + 5000);
  });

  it('is given back to the queue when others never let it be', async () => {
    const { made } = ports(2, hundred, { changeStatuses: async () => ({ kind: 'outdated' }) });
    await expect(settleGroup(made, message)).rejects.toThrow('all the time');
  });
});

describe('a group that is not committed', () => {
  it.each<[string, number, number | undefined, number]>([
    ['is left alone while its POST may still run', 5, posted + 60_000, 0],
    ['is cleared away once its POST has certainly ended', 60, undefined, 1],
  ])('%s', async (_, later, next, clearings) => {
    const { made, cleared } = ports(later, { kind: 'open' });
    expect(await settleGroup(made, message)).toBe(next);
    expect(cleared).toHaveLength(clearings);
  });
});

it.each([
  [0, 0],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [-5, 0],
  [10_000_000, 900],
])('a moment %i ms ahead is a delay of %i s', (ahead, seconds) => {
  expect(delaySeconds(new Date(posted), posted + ahead)).toBe(seconds);
});
