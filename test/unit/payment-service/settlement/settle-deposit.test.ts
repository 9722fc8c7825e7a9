import { describe, expect, it } from 'vitest';
import type { DepositDraft } from '../../../../functions/payment-service/domain/deposits/deposit.ts';
import { settleDeposit } from '../../../../functions/payment-service/settlement/settle-deposit.ts';
import type { Context } from '../../../../functions/payment-service/store/context.ts';
import {
  makeDepositMove,
  setDepositStatus,
} from '../../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { readDeposit } from '../../../../functions/payment-service/store/deposits/read-deposit.ts';
import type { SettlementMessage } from '../../../../functions/payment-service/store/settlement-queue.ts';
import { newDeposit } from '../../../support/payment-service/deposits/new-deposit.ts';
import { newContext, tableWith } from '../../../support/payment-service/new-context.ts';

const created = Date.parse('2026-11-21T06:00:00.000Z');
/** In seconds. */
const month = 30 * 86_400;
const depositId = 'dep_0123456789abcdef01234567';
const message = { kind: 'deposit', depositId, accountId: 'merchant', postedAt: '2026-11-21T06:00:00.000Z' } as const;

const at = (context: Context, seconds: number, aheadSeconds = 0): Context => ({
  ...context,
  now: () => new Date(created + (seconds + aheadSeconds) * 1000),
  realNow: () => new Date(created + seconds * 1000),
});

/** An account with this deposit, which can be paid within an hour. */
const withDeposit = async (change: Partial<DepositDraft> = {}): Promise<Context> => {
  const context = at(newContext(), 0);
  const expiresAt = () => new Date(created + 3_600_000);
  await createDeposit(context, newDeposit(change), { depositId, expiresAt });
  return context;
};

const statusIn = async (context: Context) => (await readDeposit(context, depositId))?.status;

describe('looking at a deposit', () => {
  it.each([
    ['before its expiry looks again then', {}, 100, 'pending', created + 3_600_000],
    ['at its expiry expires it', {}, 3600, 'expired', undefined],
    ['with a paying reference pays it', { outcome: 'autopay' }, 5, 'completed', undefined],
    ['too early for that looks again', { outcome: 'autopay' }, 4, 'pending', created + 5000],
    ['with an expiring reference expires it', { outcome: 'expire' }, 5, 'expired', undefined],
  ] as const)('%s', async (_, change, seconds, status, next) => {
    const context = await withDeposit(change);
    expect(await settleDeposit(at(context, seconds), message)).toBe(next);
    expect(await statusIn(context)).toBe(status);
  });

  it.each(['pending', 'completed'] as const)('that was set to %s by hand leaves it alone', async (status) => {
    const context = await withDeposit();
    await setDepositStatus(context, depositId, status);
    expect(await settleDeposit(at(context, 7200), message)).toBeUndefined();
    expect(await statusIn(context)).toBe(status);
  });

  it.each(['autopay', 'standard'] as const)(
    'with the outcome %s, that is set to pending by hand while its move is decided, leaves it alone',
    async (outcome) => {
      const context = await withDeposit({ outcome });
      // The first request is the look, and the second one decides.
      const table = tableWith(context.table, async (_, sent) => {
        if (sent === 2) await setDepositStatus(context, depositId, 'pending');
      });
      expect(await settleDeposit({ ...at(context, 7200), table }, message)).toBeUndefined();
      expect(await statusIn(context)).toBe('pending');
    },
  );

  it.each([
    ['that does not exist yet looks again soon', 10, created + 15_000],
    ['that does not exist after a minute stops', 60, undefined],
  ])('%s', async (_, seconds, next) => {
    expect(await settleDeposit(at(newContext(), seconds), message)).toBe(next);
  });

  it.each([
    ['turned back, still stops after a minute', month, 60, 0, undefined],
    ['turned forward, is still waited for', 0, 10, month, created + month * 1000 + 15_000],
  ])('that was refused, with the merchant’s clock then %s', async (_, aheadThen, seconds, aheadNow, next) => {
    const context = await withDeposit({ reference: 'r-1' });
    const messages: SettlementMessage[] = [];
    const posting = {
      ...at(context, 0, aheadThen),
      schedule: async (sent: SettlementMessage) => void messages.push(sent),
    };
    const head = { depositId: 'dep_refused', expiresAt: (from: Date) => new Date(from.getTime() + 3_600_000) };
    expect(await createDeposit(posting, newDeposit({ reference: 'r-1' }), head)).toMatchObject({
      kind: 'reference_used',
    });
    const [sent] = messages;
    if (sent?.kind !== 'deposit') throw new Error('nothing was sent');
    expect(await settleDeposit(at(context, seconds, aheadNow), sent)).toBe(next);
  });

  it('that others keep changing is repeated by the queue', async () => {
    const context = await withDeposit();
    // Each time, another deposit of the account takes the list's next number.
    let others = 0;
    const table = tableWith(context.table, async (command) => {
      if (command !== 'TransactWriteCommand') return;
      others += 1;
      const head = { depositId: `dep_${others}`, expiresAt: () => new Date(created + 3_600_000) };
      await createDeposit(context, newDeposit(), head);
    });
    await expect(settleDeposit({ ...at(context, 3600), table }, message)).rejects.toThrow('keep changing');
  });

  it('that was moved in the meantime stops', async () => {
    const context = await withDeposit();
    let isPaid = false;
    const table = tableWith(context.table, async (command) => {
      if (command !== 'TransactWriteCommand' || isPaid) return;
      isPaid = true;
      await makeDepositMove(context, depositId, 'pay');
    });
    expect(await settleDeposit({ ...at(context, 3600), table }, message)).toBeUndefined();
    expect(await statusIn(context)).toBe('completed');
  });
});
