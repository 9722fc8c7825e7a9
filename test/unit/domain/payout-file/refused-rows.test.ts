import { describe, expect, it } from 'vitest';
import { Money } from '../../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../../functions/domain/payout/destination.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { writtenOffCode } from '../../../../functions/domain/payout/retries.ts';
import { idr } from '../../../support/money.ts';
import { processorMsOf } from '../../../support/processor-time.ts';
import { payout } from '../../api/fixtures.ts';
import { badRows, csvOf, toBank, toId } from './bad-rows.ts';
import { batchId, planBytes } from './plan-bytes.ts';

describe('a row that must not be paid', () => {
  it.each(badRows)('is refused as $code in "$column": $why', async ({ row, code, column }) => {
    const { planned, chunks, errors, summaries } = await planBytes(csvOf(row));
    expect(errors).toEqual([
      {
        ...{ row: 1, line: 2, column, code },
        ...(summaries[0]?.reference === '' ? {} : { reference: summaries[0]?.reference }),
        message: expect.stringMatching(/^.{10,}[.?]$/s),
      },
    ]);
    expect(planned).toMatchObject({ kind: 'refused', rows: 1, validRows: 0, invalidRows: 1, chunks: 0, errors });
    expect(chunks).toEqual([]);
  });

  it.each(badRows)('does not repeat a recipient in the message about $why', async ({ row }) => {
    const { errors } = await planBytes(csvOf(row));
    const text = errors.map((error) => error.message).join(' ');
    const recipient = [row.recipientId, row.accountNumber, row.accountName, row.walletAddress, row.email, row.note];
    const values = recipient.filter((value) => value !== undefined && value !== '');
    expect(values.filter((value) => value !== undefined && text.includes(value))).toEqual([]);
  });

  it.each(badRows)('does not repeat a recipient in the summary of a row with $why', async ({ row }) => {
    const { summaries } = await planBytes(csvOf(row));
    const cells = summaries.flatMap((one) => Object.values(one)).filter((cell) => cell !== '');
    const { reference, amount, currency } = row;
    expect(cells.filter((cell) => ![reference, amount, currency].includes(cell))).toEqual([]);
  });

  const sound = { reference: 'A-1', currency: 'IDR', amount: '50000' };
  const account = '003456780002';
  it.each([
    ['the rest of it is sound', { ...toId, email: 'x' }, sound],
    ['its bank is not known', { ...toBank, bankCode: 'nobank' }, { ...sound, amount: '' }],
    ['its amount is not one', { ...toId, amount: 'fifty' }, { ...sound, amount: '' }],
    ['its amount may be an account number', { ...toId, amount: account }, { ...sound, amount: '' }],
    ['its reference is malformed', { ...toId, reference: 'Siti Rahma' }, { ...sound, reference: '' }],
    ['its reference is too long', { ...toId, reference: 'a'.repeat(65) }, { ...sound, reference: '' }],
    [
      'two of its values are not sound',
      { ...toId, reference: 'Siti Rahma', amount: 'fifty' },
      { ...sound, reference: '', amount: '' },
    ],
    [
      'its values may be in each other’s columns',
      { ...toId, currency: 'Siti', reference: account },
      { reference: '', currency: '', amount: '' },
    ],
  ])('is reported with its sound reference, currency and amount alone, when %s', async (_, row, expected) => {
    expect((await planBytes(csvOf(row))).summaries[0]).toEqual(expected);
  });

  it('is reported with its amount when only its reference is taken', async () => {
    const { summaries } = await planBytes(csvOf(toId, toId, { ...toId, email: 'x' }));
    expect(summaries).toEqual([sound, sound, sound]);
  });

  it('finds every problem of a row together', async () => {
    const { errors } = await planBytes(
      csvOf({ ...toBank, reference: 'A 1', amount: '-5', bankCode: 'nobank', email: 'x' }),
    );
    expect(errors.map((error) => error.code).sort()).toEqual([
      'amount_negative',
      'bank_code_unknown',
      'email_malformed',
      'reference_malformed',
    ]);
  });

  it('names the first row of a reference used twice, even when that row is invalid', async () => {
    const { errors } = await planBytes(csvOf({ ...toId, amount: '0' }, toId, { ...toId, reference: 'A-2' }));
    expect(errors.map((error) => [error.row, error.code])).toEqual([
      [1, 'amount_zero'],
      [2, 'duplicate_reference'],
    ]);
    expect(errors[1]?.message).toContain('Line 2 ');
  });

  it('treats references in different letter case as equal', async () => {
    const { errors } = await planBytes(csvOf({ ...toId, reference: 'INV-7' }, { ...toId, reference: 'inv-7' }));
    expect(errors).toMatchObject([
      { row: 2, code: 'duplicate_reference', message: expect.stringContaining('Line 2 ') },
    ]);
  });

  it('names the batch that has a reference, unless it is this batch', async () => {
    const held = new Map([
      ['A-1', { batchId: '01OTHERBATCH', chunk: 1, row: 1 }],
      ['A-2', { batchId, chunk: 1, row: 2 }],
    ]);
    const findReferences = async () => held;
    const others = ['A-2', 'A-3'].map((reference) => ({ ...toId, reference }));
    const { planned, errors } = await planBytes(csvOf(toId, ...others), { findReferences, invalidRows: 'skip' });
    expect(errors).toEqual([
      {
        row: 1,
        line: 2,
        reference: 'A-1',
        column: 'reference',
        code: 'duplicate_reference',
        message: expect.stringContaining('01OTHERBATCH'),
      },
    ]);
    expect(planned).toMatchObject({ kind: 'planned', validRows: 2, invalidRows: 1 });
  });

  describe('whose reference another batch has', () => {
    const holder = { batchId: '01OTHERBATCH', chunk: 1, row: 1 };
    const recipient = { kind: 'recipientId', recipientId: toId.recipientId ?? '' } as const;
    const completed = payout({
      ...{ ...holder, reference: 'A-1', amount: idr('50000.00'), status: 'completed' },
      destinationHash: hashDestination(recipient),
    });
    const planned = (held: Payout, ...taken: readonly string[]) =>
      planBytes(csvOf(toId, { ...toId, reference: 'A-2' }), {
        findReferences: async (asked) =>
          new Map(['A-1', ...taken].filter((reference) => asked.includes(reference)).map((one) => [one, holder])),
        getPayouts: async () => [held],
        invalidRows: 'skip',
      });

    it('is reported as paid when the same row was paid', async () => {
      const { planned: plan, errors } = await planned(completed);
      expect(errors).toMatchObject([{ row: 1, code: 'duplicate_reference' }]);
      expect(errors[0]?.message).toContain(
        'Batch 01OTHERBATCH has paid this row already, under the same reference, on ',
      );
      expect(plan.alreadyPaid).toEqual({ rows: 1, batches: ['01OTHERBATCH'], lastOn: '2026-01-05' });
    });

    const contradiction = {
      ...{ code: 'x', disbursementId: 'd', observed: 'failed' as const },
      at: '2026-01-05T09:00:00.000Z',
    };
    const writtenOff = { code: writtenOffCode, message: 'x' };

    it.each<[Payout['status'], string[], string]>([
      ['failed', [], 'which failed and paid nobody. Use the retry file of that batch'],
      ['rejected', [], 'which was rejected and paid nobody. Use the retry file of that batch'],
      ['failed', ['A-1.r1'], 'It was tried again as A-1.r1: check that payout before you write another.'],
    ])('explains how one that %s is paid again, tried as %j', async (status, taken, advice) => {
      const { planned: plan, errors } = await planned({ ...completed, status }, ...taken);
      expect(errors).toMatchObject([{ row: 1, code: 'duplicate_reference' }]);
      expect(errors[0]?.message).toContain('Batch 01OTHERBATCH has a payout with the same reference');
      expect(errors[0]?.message).toContain(advice);
      expect(errors[0]?.message).not.toContain('it may be paid already');
      expect(plan).not.toHaveProperty('alreadyPaid');
    });

    it.each<[string, Partial<Payout>]>([
      ['is not paid yet', { status: 'pending' }],
      ['was canceled', { status: 'canceled' }],
      ['was given up, whatever became of it', { status: 'failed', reason: writtenOff }],
      ['failed by its first word alone', { status: 'failed', contradictions: [contradiction] }],
      ['has another amount', { amount: idr('50000.01') }],
      ['has another recipient', { destinationHash: 'another' }],
      ['has another currency', { amount: Money.of('50000', 'PHP') }],
      ['came back', { contradictions: [contradiction] }],
    ])('is not reported as paid when the other %s', async (_, changes) => {
      const { planned: plan, errors } = await planned({ ...completed, ...changes });
      expect(errors[0]?.message).toContain('it may be paid already. Check that payout before you write another.');
      expect(plan).not.toHaveProperty('alreadyPaid');
    });
  });

  it('is a retry whose original forbids it, and no retry with another error is looked up', async () => {
    const asked: string[] = [];
    const rows = ['A-1', 'A-1.r1', 'A-2.r1'].map((reference) => ({ ...toId, reference }));
    const { chunks, errors } = await planBytes(csvOf(...rows, { ...toId, reference: 'A-3.r1', amount: '0' }), {
      findRefusedRetries: async (retries) => {
        asked.push(...retries.map(({ row, reference }) => `${row} ${reference}`));
        return new Map([[2, 'It was paid.']]);
      },
      invalidRows: 'skip',
    });
    expect(asked).toEqual(['2 A-1.r1', '3 A-2.r1']);
    expect(errors.map(({ row, code }) => [row, code])).toEqual([
      [2, 'original_not_retryable'],
      [4, 'amount_zero'],
    ]);
    expect(chunks.flatMap(({ payouts }) => payouts.map(({ reference }) => reference))).toEqual(['A-1', 'A-2.r1']);
  });

  it('never looks up references that it derived itself', async () => {
    const findReferences = async (references: readonly string[]) =>
      new Map(references.map((each) => [each, { batchId: 'asked', chunk: 1, row: 1 }]));
    const { planned } = await planBytes(csvOf({ ...toId, reference: '' }), { findReferences });
    expect(planned).toMatchObject({ kind: 'planned', validRows: 1 });
  });

  it.each([
    ['fewer', 'A-1,50000,IDR\n'],
    ['more', 'A-1,50,000,IDR,rec_1\n'],
  ])('refuses a row with %s fields than the header, without further checks', async (_, row) => {
    const { errors } = await planBytes(`reference,amount,currency,recipientId\n${row}A-2,50000,IDR,rec_2\n`);
    expect(errors.map((error) => [error.row, error.code])).toEqual([[1, 'wrong_number_of_fields']]);
  });

  it('reports bytes that are not UTF-8 by row and column', async () => {
    const file = Buffer.from(csvOf({ ...toBank, accountName: 'José' }, { ...toBank, reference: 'A-2' }), 'latin1');
    const { errors } = await planBytes(file);
    expect(errors.map((error) => [error.row, error.column, error.code])).toEqual([[1, 'accountName', 'invalid_utf8']]);
    expect(errors[0]?.message).toBe(
      '"accountName" has a letter that is not UTF-8. The file is probably saved as Windows-1252 (ANSI): save it as "CSV UTF-8".',
    );
  });

  const json = { amount: '50000', currency: 'IDR', recipientId: 'rec_1' };
  const badItems = [
    [
      'a number as account number',
      '{"amount":"50000","currency":"IDR","bankCode":"bca","bankName":"BCA","accountNumber":12345678,"accountName":"Siti"}',
      'number_not_text',
      'accountNumber',
    ],
    ['an exponent in a number', '{"amount":5e4,"currency":"IDR","recipientId":"rec_1"}', 'amount_exponent', 'amount'],
    ['a negative number', '{"amount":-5,"currency":"IDR","recipientId":"rec_1"}', 'amount_negative', 'amount'],
    ['an object as a value', JSON.stringify({ ...json, note: { text: 'x' } }), 'value_not_text', 'note'],
    ['an array as a value', JSON.stringify({ ...json, note: ['x', { y: 1 }] }), 'value_not_text', 'note'],
    ['an object that cannot be a text', JSON.stringify({ ...json, note: { toString: 1 } }), 'value_not_text', 'note'],
    ['true as a value', JSON.stringify({ ...json, note: true }), 'value_not_text', 'note'],
    ['an unknown field', JSON.stringify({ ...json, colour: 'red' }), 'field_unknown', 'colour'],
    [
      'a field twice',
      '{"amount":"50000","currency":"IDR","recipientId":"rec_1","recipientId":"rec_2"}',
      'field_repeated',
      undefined,
    ],
    [
      'half of a character',
      String.raw`{"amount":"50000","currency":"IDR","recipientId":"rec_1","note":"\ud83d"}`,
      'invalid_utf8',
      'note',
    ],
    ['a text of a megabyte', JSON.stringify({ ...json, note: 'x'.repeat(1_000_000) }), 'value_too_long', 'note'],
  ] as const;

  it.each(badItems)('refuses %s in JSON', async (_, item, code, column) => {
    const good = JSON.stringify(json);
    for (const file of [`[${good},${item},${good}]`, `${good}\n${item}\n${good}\n`]) {
      const { planned, errors } = await planBytes(file, { invalidRows: 'skip' });
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ row: 2, code, ...(column === undefined ? {} : { column }) });
      expect(planned).toMatchObject({ kind: 'planned', rows: 3, validRows: 2 });
    }
  });

  it.each([
    ['a mail address', { email: `a@${'.a'.repeat(100_000)}@` }, 'email'],
    ['a name with a long gap', { name: `é${' '.repeat(200_000)}x`, accountName: `é${' '.repeat(200_000)}x` }, 'name'],
  ])('handles %s of excessive length quickly', async (_, field, column) => {
    const ms = await processorMsOf(async () => {
      const { errors } = await planBytes(`${JSON.stringify({ ...toBank, ...field })}\n`);
      expect(errors.find((error) => error.column === column)).toMatchObject({ row: 1, code: 'value_too_long' });
    });
    // Trying every way to split it would take ten seconds, and five minutes for a megabyte.
    expect(ms).toBeLessThan(3_000);
  });

  it.each(['1', 'null', '"x"', '[1,[2]]', '[{"amount":"1"}]'])(
    'refuses the item %s, which is not an object',
    async (item) => {
      const good = JSON.stringify(json);
      for (const file of [`[${good},${item},${good}]`, `${good}\n${item}\n${good}\n`]) {
        const { errors, planned } = await planBytes(file, { invalidRows: 'skip' });
        expect(errors.map((error) => [error.row, error.code])).toEqual([[2, 'json_not_objects']]);
        expect(planned).toMatchObject({ kind: 'planned', rows: 3, validRows: 2 });
      }
    },
  );

  it('continues after a line of 100,000 nested arrays', async () => {
    const good = JSON.stringify(json);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { errors } = await planBytes(`${good}\n${good.slice(0, -1)},"note":${deep}}\n${good}\n`);
    expect(errors.map((error) => [error.row, error.code])).toEqual([[2, 'value_not_text']]);
  });

  it('continues after a line that is not JSON', async () => {
    const good = JSON.stringify(json);
    const { errors } = await planBytes(`${good}\n{"amount":\n${good}\n`);
    expect(errors.map((error) => [error.row, error.code])).toEqual([[2, 'malformed_json']]);
  });
});
