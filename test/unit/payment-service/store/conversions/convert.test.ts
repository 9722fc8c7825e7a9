import { describe, expect, it } from 'vitest';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import { convert } from '../../../../../functions/payment-service/store/conversions/convert.ts';
import { keepQuote } from '../../../../../functions/payment-service/store/conversions/quotes.ts';
import { canceled } from '../../../../support/aws-errors.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { exampleConversion as conversion } from '../../../../support/payment-service/example-conversion.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { newContext, tableWith } from '../../../../support/payment-service/new-context.ts';

it.each([
  ['with a quote', '1000', 'quo_1'],
  ['without a quote', '1000', undefined],
  ['when the balance covers it only once', '100', undefined],
])('a conversion written by an attempt given up before is converted once, %s', async (_, balance, quoteId) => {
  const table = new MemoryTable();
  const openingBalance = (currency: string) => Money.of(currency === 'usdt-tron' ? balance : '0', currency);
  const context = newContext({ table, openingBalance });
  if (quoteId !== undefined) await keepQuote(context, quoteId, conversion, context.now().getTime() + 1000);
  const late = { ...context, table: withLateAttempt(table, 'CONVERSION#') };
  expect(await convert(late, 'cnv_1', conversion, quoteId)).toBe('converted');
  const left = (await readBalance(context, 'usdt-tron')).amount;
  expect(left.plus(conversion.input)).toEqual(openingBalance('usdt-tron'));
  expect((await readBalance(context, 'USD')).amount).toEqual(conversion.total);
});

describe('a conversion whose last attempt is given up,', () => {
  const openingBalance = (currency: string) => Money.of(currency === 'usdt-tron' ? '1000' : '0', currency);
  const outOfTime = () => newContext({ openingBalance, hasTime: () => false });

  it('and is written before the answer, is converted', async () => {
    const context = outOfTime();
    const late = { ...context, table: withLateAttempt(context.table, 'CONVERSION#') };
    expect(await convert(late, 'cnv_1', conversion, undefined)).toBe('converted');
    expect((await readBalance(context, 'USD')).amount).toEqual(conversion.total);
  });

  it('and arrives after the answer, moves no money', async () => {
    const context = outOfTime();
    const conflicting = tableWith(context.table, (command) => {
      if (command === 'TransactWriteCommand') throw canceled('TransactionConflict');
    });
    expect(await convert({ ...context, table: conflicting }, 'cnv_1', conversion, undefined)).toBe('busy');
    // The attempt arrives.
    await convert(context, 'cnv_1', conversion, undefined);
    expect((await readBalance(context, 'usdt-tron')).amount).toEqual(openingBalance('usdt-tron'));
  });
});
