import { expect, it } from 'vitest';
import { batchIn, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger } = useLedger();

const callOf = (k: number, ...rows: readonly number[]) => ({ chunk: 1, k, rows });

it('counts each refused row and call once, however often it is reported, until a call of the currency is accepted', async () => {
  const batchId = await batchIn(ledger, 'processing');
  const of = { batchId, currency: 'IDR', fingerprint: 'a' };
  await ledger.forgetRefusals(batchId, 'IDR');
  await times(5, (index) => ledger.countRefusal(of, callOf(1, 1, 2 + index)));
  expect(await ledger.countRefusal(of, callOf(1, 1, 2))).toEqual({ rows: 0, calls: 1 });
  await times(5, (index) => ledger.countRefusal(of, callOf(index + 2, index + 1)));
  expect(await ledger.countRefusal(of, callOf(9, 5))).toEqual({ rows: 5, calls: 1 });
  expect(await ledger.countRefusal(of, callOf(10, 1, 2))).toEqual({ rows: 5, calls: 2 });
  // Other words and other currencies have separate counts.
  expect(await ledger.countRefusal({ ...of, fingerprint: 'b' }, callOf(3, 3))).toEqual({ rows: 1, calls: 0 });
  expect(await ledger.countRefusal({ ...of, currency: 'PHP' }, callOf(4, 4))).toEqual({ rows: 1, calls: 0 });
  await times(2, () => ledger.forgetRefusals(batchId, 'IDR'));
  expect(await ledger.countRefusal(of, callOf(5, 7))).toEqual({ rows: 1, calls: 0 });
  expect(await ledger.countRefusal({ ...of, fingerprint: 'b' }, callOf(6, 8))).toEqual({ rows: 1, calls: 0 });
  expect(await ledger.countRefusal({ ...of, currency: 'PHP' }, callOf(7, 9))).toEqual({ rows: 2, calls: 0 });
});
