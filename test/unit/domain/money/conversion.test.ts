import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../functions/domain/batch/batch.ts';
import { conversionStatuses } from '../../../../functions/domain/batch/batch.ts';
import { hasHappened, holderOf, isMade, judgeLock, lockHolder } from '../../../../functions/domain/money/conversion.ts';
import { moneyOfText } from '../../../../functions/domain/money/money-by-currency.ts';
import { idr, usdt } from '../../../support/money.ts';

const at = '2026-11-21T08:00:00.000Z';
const settings = { resolveAfterSeconds: 120 };

describe('the holder of a lock', () => {
  it.each([
    [lockHolder('b-1', 12), { batchId: 'b-1', n: 12 }],
    [lockHolder('b#1', 2), { batchId: 'b#1', n: 2 }],
    ['b-1', undefined],
    ['#1', undefined],
    ['b-1#', undefined],
    ['b-1#1x', undefined],
    ['a\nb-1#1', undefined],
  ])('%j is the conversion %o', (holder, expected) => {
    expect(holderOf({ holder })).toEqual(expected);
  });
});

it('a conversion took and brought money once it is completed or inferred', () => {
  expect(conversionStatuses.filter((status) => isMade({ status }))).toEqual(['completed', 'inferred']);
});

describe('a lock', () => {
  it.each([
    ['without a conversion is held', undefined, 119, 'held'],
    ['without a conversion is idle once no function that took it is alive', undefined, 120, 'idle'],
    ['of a claimed conversion is held', 'claimed', 119, 'held'],
    ['of a claimed conversion is in doubt once no function that claimed it is alive', 'claimed', 120, 'in_doubt'],
    ['of a conversion without an answer is in doubt', 'unknown', 0, 'in_doubt'],
    ['of a completed conversion is idle', 'completed', 0, 'idle'],
  ] as const)('%s', (_name, status, seconds, expected) => {
    const conversion = status && { status, claimedAt: at };
    expect(judgeLock({ lockedAt: at }, conversion, Date.parse(at) + seconds * 1000, settings)).toBe(expected);
  });
});

describe('a conversion without an answer', () => {
  const planned = { input: usdt('10'), output: idr('150000'), fee: idr('0'), rate: '15000' };
  const conversion: Conversion = {
    batchId: 'b-1',
    n: 1,
    planned,
    status: 'unknown',
    quoteId: 'q',
    claimId: 'c',
    claimedAt: at,
    inputBalanceBefore: usdt('10'),
    outputBalanceBefore: idr('5.00'),
  };
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['both balances moved', { 'usdt-tron': '0.00', IDR: '150005.00' }, true],
    ['the provider omits a used-up balance', { IDR: '150005.00' }, true],
    ['no balance of its output is reported', { 'usdt-tron': '0.00' }, false],
    ['only one moved', { 'usdt-tron': '0.00', IDR: '5.00' }, false],
    ['both moved, by something else', { 'usdt-tron': '1.00', IDR: '135005.00' }, false],
  ])('has happened when %s: %o', (_name, balances, expected) => {
    expect(hasHappened(conversion, moneyOfText(balances))).toBe(expected);
  });
});
