import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DisbursementPage } from '../../../functions/ports/provider.ts';
import { findPage } from '../../../functions/steps/find-page.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** A list in creation order, cut into pages; a page past the end is empty. */
const listOf = (createdAt: readonly string[], limit: number) => {
  const asked: number[] = [];
  const totalPages = Math.max(1, Math.ceil(createdAt.length / limit));
  const readPage = async (page: number): Promise<DisbursementPage> => {
    asked.push(page);
    const disbursements = createdAt.slice((page - 1) * limit, page * limit).map((time, index) => ({
      disbursementId: `${page}-${index}`,
      rail: 'fiat' as const,
      currency: 'IDR',
      amount: '1',
      status: 'pending' as const,
      providerStatus: 'pending',
      createdAt: time,
    }));
    return { disbursements, page, totalPages };
  };
  return { readPage, asked, totalPages };
};

describe('findPage', () => {
  it('finds the first page that can hold a creation time, wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(50), { minLength: 1, maxLength: 400 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        async (seconds, limit, pick) => {
          const times = [...seconds].sort((a, b) => a - b).map(at);
          const wanted = times[pick % times.length] ?? at(0);
          const { readPage } = listOf(times, limit);
          const expected = Math.floor(times.indexOf(wanted) / limit) + 1;
          expect(await findPage(readPage, wanted)).toBe(expected);
        },
      ),
    );
  });

  it('needs few requests near the end of a long list, where new disbursements are', async () => {
    const times = Array.from({ length: 100_000 }, (_, second) => at(second));
    const list = listOf(times, 100);
    expect(await findPage(list.readPage, at(99_650))).toBe(997);
    // Page 1, then 1000, 999, 997, 993 backwards, then 995 and 996 between the last two.
    expect(list.asked).toEqual([1, 1000, 999, 997, 993, 995, 996]);
  });

  it('answers one past the last page when the list does not show it yet', async () => {
    const { readPage } = listOf([at(1), at(2)], 1);
    expect(await findPage(readPage, at(3))).toBe(3);
  });
});
