import { describe, expect, it } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import { areNewestFirst, readPage } from '../../../functions/payouts/read-page.ts';
import type { DisbursementPage } from '../../../functions/ports/provider.ts';

describe('a page is newest first', () => {
  it.each([
    ['when it is empty', [], true],
    ['when each record is older than the one before', ['2026-11-03', '2026-11-02', '2026-11-01'], true],
    ['when records have one time', ['2026-11-03', '2026-11-03'], true],
    ['but not when a record is newer than the one before', ['2026-11-02', '2026-11-03'], false],
    ['but not when a time is missing', ['2026-11-03', '', '2026-11-01'], false],
  ] as const)('%s', (_, times, expected) => {
    expect(areNewestFirst(times)).toBe(expected);
  });
});

describe('a page is read', () => {
  const page: DisbursementPage = { disbursements: [], unreadable: 0, page: 1, totalPages: 1 };
  const query = { rail: 'crypto', order: 'newest', page: 1 } as const;

  /** A list that fails as often as it is told, and then answers. */
  const failing = (...errors: readonly Error[]) => {
    const left = [...errors];
    let reads = 0;
    const listDisbursements = async () => {
      reads += 1;
      const error = left.shift();
      if (error !== undefined) throw error;
      return page;
    };
    return { listDisbursements, reads: () => reads };
  };
  const noAnswer = new ProviderUnavailable('timeout');

  it('again when there was no answer, at most three times', async () => {
    const list = failing(noAnswer, noAnswer);
    expect(await readPage(list, query, () => true)).toBe(page);
    const silent = failing(noAnswer, noAnswer, noAnswer);
    await expect(readPage(silent, query, () => true)).rejects.toBe(noAnswer);
    expect([list.reads(), silent.reads()]).toEqual([3, 3]);
  });

  it('once when no time is left, or when it is refused', async () => {
    const late = failing(noAnswer);
    await expect(readPage(late, query, () => false)).rejects.toBe(noAnswer);
    const refusal = new ProviderRefused('status_403');
    const refused = failing(refusal);
    await expect(readPage(refused, query, () => true)).rejects.toBe(refusal);
    expect([late.reads(), refused.reads()]).toEqual([1, 1]);
  });
});
