import { describe, expect, it } from 'vitest';
import { judgeLocks } from '../../../functions/batches/conversion-locks.ts';
import type { Conversion } from '../../../functions/domain/batch/batch.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { conversionOfText } from '../../../functions/domain/money/money-records.ts';

const lockedAt = '2026-11-21T08:00:00.000Z';
const lock = { inputCurrency: 'usdt-tron', outputCurrency: 'IDR', holder: 'b-1#2', lockedAt };
const conversion: Conversion = conversionOfText({
  batchId: 'b-1',
  n: 2,
  status: 'claimed',
  planned: {
    inputCurrency: 'usdt-tron',
    inputAmount: '1',
    outputCurrency: 'IDR',
    outputAmount: '15000',
    fee: '0',
    rate: '15000',
  },
  quoteId: 'q',
  inputBalanceBefore: '10',
  outputBalanceBefore: '0',
  claimId: 'c',
  claimedAt: lockedAt,
});

const judge = async (conversions: readonly Conversion[], afterSeconds: number) => {
  const ledger = { listPairLocks: async () => [lock], listConversions: async () => conversions };
  const [judged] = await judgeLocks(ledger, Date.parse(lockedAt) + afterSeconds * 1000, { resolveAfterSeconds: 120 });
  return [judged?.state, judged?.conversion?.n];
};

describe('the lock of a pair', () => {
  const ofAnotherPair = { ...conversion, planned: { ...conversion.planned, input: Money.of('1', 'usdc-polygon') } };
  it.each<[string, readonly Conversion[], number, readonly [string, number | undefined]]>([
    ['is held while its conversion is under way', [conversion], 10, ['held', 2]],
    ['is in doubt when its conversion is not answered in time', [conversion], 120, ['in_doubt', 2]],
    ['is idle when its conversion has ended', [{ ...conversion, status: 'completed' }], 10, ['idle', 2]],
    ['is held before its conversion is claimed', [], 10, ['held', undefined]],
    ['is idle when its conversion is never claimed', [], 120, ['idle', undefined]],
    ['does not show a conversion of another pair', [ofAnotherPair], 120, ['idle', undefined]],
    ['does not show another conversion', [{ ...conversion, n: 1 }], 120, ['idle', undefined]],
  ])('%s', async (_, conversions, afterSeconds, expected) => {
    expect(await judge(conversions, afterSeconds)).toEqual(expected);
  });

  it('is in doubt when its holder names no conversion, however old it is', async () => {
    const ledger = { listPairLocks: async () => [{ ...lock, holder: 'b-1' }], listConversions: async () => [] };
    const nowMs = Date.parse(lockedAt) + 86_400_000;
    expect(await judgeLocks(ledger, nowMs, { resolveAfterSeconds: 120 })).toMatchObject([{ state: 'in_doubt' }]);
  });
});
