import { expect, it } from 'vitest';
import { eachByItself } from '../../../functions/domain/each-by-itself.ts';

const failing = async () => {
  throw new RangeError('quotes its input');
};

it('goes on with the others after one that fails, and does no further work on that one', async () => {
  const told: unknown[] = [];
  const { attempt, failed } = eachByItself((name, error) => void told.push([name, error]));
  expect(await attempt('a', failing)).toBeUndefined();
  expect(await attempt('b', async () => 1)).toBe(1);
  expect(await attempt('a', async () => 2)).toBeUndefined();
  expect([...failed]).toEqual(['a']);
  expect(told).toEqual([['a', 'RangeError']]);
});
