import { describe, expect, it } from 'vitest';
import { payoutsOf, planBytes } from './plan-bytes.ts';

const header = 'amount,currency,recipientId';
const row = '50000,IDR,rec_1';
const object = { amount: '50000', currency: 'IDR', recipientId: 'rec_1' };
const names = (count: number) => Array.from({ length: count }, (_, index) => `x-${index + 1}`);
const long = `x-${'é'.repeat(62)}`;

const jsonOf = (...extras: readonly object[]) => JSON.stringify(extras.map((extra) => ({ ...object, ...extra })));

describe('columns that begin with x-', () => {
  it.each([
    ['CSV', `${header},x-Department, X-cost\n${row},Sales,0042\n${row},,\n${row},"two\nlines",\n`],
    [
      'a JSON array',
      jsonOf(
        { 'x-Department': 'Sales', 'X-cost': ' 0042' },
        { 'x-DEPARTMENT': null },
        { 'x-department': 'two\nlines' },
      ),
    ],
    [
      'JSON Lines',
      [{ 'x-Department': 'Sales' }, { 'X-cost': '' }, { 'x-department': 'two\r\nlines' }]
        .map((extra, index) => JSON.stringify({ ...object, ...extra, ...(index === 0 ? { 'X-cost': '0042' } : {}) }))
        .join('\n'),
    ],
  ])('are kept with each row of %s, under their first spelling', async (_, file) => {
    for (const blockBytes of [65_536, 1]) {
      const result = await planBytes(file, { blockBytes });
      expect(result.errors).toEqual([]);
      expect(result.planned.extraColumns).toEqual(['x-Department', 'X-cost']);
      expect(payoutsOf(result).map(({ extras }) => extras)).toEqual([
        { 'x-Department': 'Sales', 'X-cost': '0042' },
        undefined,
        { 'x-Department': 'two lines' },
      ]);
    }
  });

  it.each<[string, string, object | undefined]>([
    ['an invalid row', 'bad,IDR,rec_1,Sales,"two\nlines"', { 'x-Department': 'Sales', 'X-cost': 'two lines' }],
    ['a row that repeats a reference', `${row},Sales,`, { 'x-Department': 'Sales' }],
    ['a row with a bad value in one of them, without that', 'bad,IDR,rec_1,Sa\u200bles,7', { 'X-cost': '7' }],
    ['a row in which they are empty, as none', 'bad,IDR,rec_1,,', undefined],
    ['a row of an unknown currency, as none: its cells may be shifted', '50000,1234,rec_1,Sales,7', undefined],
    ['a row of another length, as none', 'bad,IDR,rec_1,Sales,7,8', undefined],
  ])('are reported with the errors of %s', async (what, line, extras) => {
    const reference = what.includes('reference') ? 'r-1' : '';
    const file = `reference,${header},x-Department,X-cost\nr-1,${row},Own,\n${reference},${line}\n`;
    const { summaries } = await planBytes(file, { invalidRows: 'skip' });
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries.at(0)?.extras).toEqual(extras);
  });

  it('may be ten, with names and values as long as allowed', async () => {
    const columns = [...names(9), long];
    const value = '😀'.repeat(64);
    const result = await planBytes(`${header},${columns.join(',')}\n${row},${columns.map(() => value).join(',')}\n`);
    expect(result.errors).toEqual([]);
    expect(payoutsOf(result)[0]?.extras).toEqual(Object.fromEntries(columns.map((name) => [name, value])));
  });

  it('cost nothing in a file without them', async () => {
    const result = await planBytes(`${header}\n${row}\n`);
    expect(result.planned).not.toHaveProperty('extraColumns');
    expect(payoutsOf(result)[0]).not.toHaveProperty('extras');
  });

  it.each([
    ['an eleventh', names(11), 'extra_columns_too_many', 'x-11'],
    ['one that is too long', [`${long}x`], 'extra_column_malformed', `x-${'?'.repeat(38)}…`],
    ['one without a name', ['x-'], 'extra_column_malformed', 'x-'],
    ['one with an invisible character', ['x-a\u200bb'], 'extra_column_malformed', 'x-a?b'],
    ['one twice', ['x-a', 'X-A'], 'column_repeated', 'X-A'],
  ])('are refused in a CSV that names %s', async (_, columns, code, column) => {
    const { planned } = await planBytes(`${header},${columns.join(',')}\n${row}${columns.map(() => ',').join('')}\n`);
    expect(planned).toMatchObject({ kind: 'refused', errors: [{ row: 0, column, code }] });
  });

  it.each([
    ['an eleventh', Object.fromEntries(names(10).map((name) => [name, ''])), 'extra_columns_too_many'],
    ['one without a name', { 'x-': 'a' }, 'extra_column_malformed'],
    ['one twice', { 'x-a': 'a', 'X-A': 'b' }, 'field_repeated'],
    ['a number', { 'x-a': 42 }, 'number_not_text'],
    ['a list', { 'x-a': ['b'] }, 'value_not_text'],
  ])('are refused in a JSON row with %s', async (_, extras, code) => {
    const { errors } = await planBytes(jsonOf({ 'x-a': '' }, extras));
    expect(errors).toMatchObject([{ row: 2, code }]);
  });

  it.each([
    ['too long', 'a'.repeat(65), 'value_too_long'],
    ['far too long', 'a'.repeat(60_000), 'value_too_long'],
    ['too long by a code point', '😀'.repeat(65), 'value_too_long'],
    ['not UTF-8', '\ufffd', 'invalid_utf8'],
    ['with a mark of direction', 'a\u202eb', 'control_character'],
  ])('are refused with a value that is %s, which is not repeated', async (_, value, code) => {
    const { errors } = await planBytes(`${header},x-cost\n${row},${value}\n`);
    expect(errors).toMatchObject([{ row: 1, column: 'x-cost', code }]);
    expect(JSON.stringify(errors)).not.toContain(value);
  });
});
