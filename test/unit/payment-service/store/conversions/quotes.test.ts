import { expect, it } from 'vitest';
import { findQuote, keepQuote, useQuote } from '../../../../../functions/payment-service/store/conversions/quotes.ts';
import { keys } from '../../../../../functions/payment-service/store/keys.ts';
import { transact } from '../../../../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { exampleConversion as conversion } from '../../../../support/payment-service/example-conversion.ts';
import { newContext } from '../../../../support/payment-service/new-context.ts';

const started = Date.parse('2026-11-21T06:00:00.000Z');
const [minute, day] = [60_000, 86_400_000];

it.each([
  ['right', 0],
  ['a month behind', -30 * day],
  ['a month ahead', 30 * day],
])('a quote of a merchant whose clock is %s is deleted a day after its expiry', async (_, offset) => {
  const table = new MemoryTable();
  const realNow = () => new Date(started);
  const at = (milliseconds: number) => ({
    ...newContext({ table, realNow }),
    now: () => new Date(started + offset + milliseconds),
  });
  await keepQuote(at(0), 'quo_1', conversion, started + offset + 5 * minute);
  expect(table.item(keys.quote('quo_1'))).toMatchObject({ timeToLive: (started + 5 * minute + day) / 1000 });
  expect(await findQuote(at(4 * minute), 'quo_1')).toEqual(conversion);
  expect(await findQuote(at(5 * minute), 'quo_1')).toEqual('expired');
});

it('a used quote stays used when an attempt to store it, given up before, is written late', async () => {
  const context = newContext();
  const keep = () => keepQuote(context, 'quo_1', conversion, started + 5 * minute);
  await keep();
  await transact(context.table, [useQuote('quo_1', 'cnv_1')]);
  await keep();
  expect(await findQuote(context, 'quo_1')).toEqual('used');
});
