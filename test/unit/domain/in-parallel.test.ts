import { describe, expect, it } from 'vitest';
import { inOrder, inParallel, inTurns } from '../../../functions/domain/in-parallel.ts';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('working on items in order', () => {
  it('returns the results in the order of the items, whichever is ready first', async () => {
    const results = inOrder([8, 4, 0, 6, 2], 3, async (ms) => {
      await wait(ms);
      return ms;
    });
    expect(await Array.fromAsync(results)).toEqual([8, 4, 0, 6, 2]);
  });

  it.each([1, 3])('runs at most %i concurrently', async (limit) => {
    let underWay = 0;
    let most = 0;
    const results = inOrder([1, 2, 3, 4, 5, 6], limit, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await wait(1);
      underWay -= 1;
    });
    await Array.fromAsync(results);
    expect(most).toBe(limit);
  });

  it('throws a failure in its turn, after what came before it', async () => {
    const taken: number[] = [];
    const results = inOrder([1, 2, 3], 3, async (item) => {
      if (item === 2) throw new Error('the second failed');
      await wait(5);
      return item;
    });
    const take = async () => {
      for await (const result of results) taken.push(result);
    };
    await expect(take()).rejects.toThrow('the second failed');
    expect(taken).toEqual([1]);
  });
});

it('begins no item after a failure', async () => {
  const begun: number[] = [];
  const working = inParallel([1, 2, 3], 1, async (item) => {
    begun.push(item);
    throw new Error(`item ${item} failed`);
  });
  await expect(working).rejects.toThrow('item 1 failed');
  expect(begun).toEqual([1]);
});

it('work in turns begins in the order of the calls, at most two at once, and goes on after a failure', async () => {
  const inTurn = inTurns(2);
  const begun: number[] = [];
  let underWay = 0;
  const work = (item: number) =>
    inTurn(async () => {
      begun.push(item);
      underWay += 1;
      expect(underWay).toBeLessThanOrEqual(2);
      await wait(1);
      underWay -= 1;
      if (item === 2) throw new Error('the second failed');
      return item;
    });
  const ended = await Promise.allSettled([1, 2, 3, 4, 5].map(work));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(await inTurn(async () => 6)).toBe(6);
});
