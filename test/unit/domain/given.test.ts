import { expect, it } from 'vitest';
import { given, givenBy } from '../../../functions/domain/given.ts';

it('leaves out what is undefined, and keeps every other value', () => {
  const found: { name: string; note?: string; rows?: number; reason?: null } = given({
    name: 'a',
    note: undefined,
    rows: 0,
    reason: null,
  });
  expect(Object.entries(found)).toEqual([
    ['name', 'a'],
    ['rows', 0],
    ['reason', null],
  ]);
});

it('leaves out the keys without a value', () => {
  const values = new Map([
    ['a', 0],
    ['c', null],
  ]);
  expect(givenBy(['a', 'b', 'c'], (key) => values.get(key))).toEqual({ a: 0, c: null });
});
