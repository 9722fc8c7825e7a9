import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import type { PlannedPayout } from '../../../../functions/domain/batch/chunk-file.ts';
import { sumProgress } from '../../../../functions/domain/batch/progress.ts';
import { errorColumns } from '../../../../functions/domain/batch/skipped-rows.ts';
import { compareFees } from '../../../../functions/domain/money/fees.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import type { Contradiction, Payout } from '../../../../functions/domain/payout/payout.ts';
import { payoutStatuses, payoutStatusesThat } from '../../../../functions/domain/payout/payout-status.ts';
import { isRetryable } from '../../../../functions/domain/payout/retries.ts';
import { csvReport, csvSink } from '../../../../functions/domain/report/csv-report.ts';
import {
  checkTallies,
  endOfBatch,
  resultColumns,
  resultRow,
  retryColumns,
  retryRow,
  skippedResultRow,
  totalsByStatus,
} from '../../../../functions/domain/report/report.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { currencyPlan, idr, tally } from '../../../support/money.ts';
import { exampleBatch, exampleChunk, examplePlan } from '../../../support/scenes/example-batch.ts';
import { payoutsOf, planBytes } from '../payout-file/plan-bytes.ts';

const record = (chunk: number, tallies: ChunkRecord['tallies'], currency = 'IDR'): ChunkRecord =>
  exampleChunk('B', { chunk, currency, tallies });

const payout: Payout = {
  batchId: 'B',
  chunk: 1,
  row: 7,
  reference: 'INV-7',
  rail: 'fiat',
  amount: idr('50000.50'),
  destinationHash: 'h',
  status: 'failed',
  reason: { code: 'provider_failed', message: 'The provider says that the payout failed.' },
  disbursementId: 'd-7',
  fee: idr('2500'),
  updatedAt: '2031-01-01T00:00:00.000Z',
};

const planned: PlannedPayout = {
  row: 7,
  reference: 'INV-7',
  amount: '50000.50',
  recipient: {
    kind: 'bank',
    bankCode: 'bca',
    bankName: 'BCA',
    accountNumber: '0012345678',
    accountName: 'Siti Rahma',
  },
  name: 'Siti',
  extras: { 'x-department': 'Accounts' },
};

const whole = { manifestKey: 'm', rows: 3, invalidRows: 0 };
const withSkipped = { manifestKey: 'm', rows: 4, invalidRows: 1 };

describe('the end of a batch', () => {
  it.each<[string, ChunkRecord['tallies'][], boolean, string]>([
    ['every payout completed', [{ completed: tally(2) }, { completed: tally(1) }], false, 'completed'],
    ['every payout completed though a cancellation came', [{ completed: tally(2) }], true, 'completed'],
    ['none completed', [{ failed: tally(2), rejected: tally(1) }], false, 'failed'],
    ['some completed', [{ completed: tally(1) }, { failed: tally(1) }], false, 'partially_completed'],
    [
      'some completed and one in quarantine',
      [{ completed: tally(1), quarantined: tally(1) }],
      false,
      'partially_completed',
    ],
    ['canceled with payouts left', [{ completed: tally(1), canceled: tally(1) }], true, 'canceled'],
    ['canceled before anything was registered', [], true, 'canceled'],
    ['canceled after all were claimed', [{ completed: tally(1), failed: tally(1) }], true, 'partially_completed'],
    ['one canceled by the provider', [{ completed: tally(1), canceled: tally(1) }], false, 'partially_completed'],
  ])('with %s', (_, chunks, cancelRequested, status) => {
    const records = chunks.map((tallies, index) => record(index + 1, tallies));
    const progress = sumProgress(records, 0);
    const hasMaybePaid = chunks.some(({ completed }) => completed !== undefined);
    expect(endOfBatch(whole, progress, hasMaybePaid, cancelRequested).to).toBe(status);
    // Skipped rows change only one end.
    const withoutSome = status === 'completed' ? 'partially_completed' : status;
    expect(endOfBatch(withSkipped, progress, hasMaybePaid, cancelRequested).to).toBe(withoutSome);
  });

  it('is not failed when nothing completed but something may have been paid', () => {
    const progress = sumProgress([record(1, { failed: tally(1) })], 0);
    expect(endOfBatch(whole, progress, true, false).to).toBe('partially_completed');
    expect(endOfBatch(whole, progress, true, true).to).toBe('partially_completed');
  });
});

describe('counts and sums', () => {
  const plan: Parameters<typeof checkTallies>[0] = {
    ...withSkipped,
    chunks: 2,
    currencies: [
      currencyPlan({
        rail: 'fiat',
        currency: 'IDR',
        count: 3,
        amount: '60.5',
        fee: '1',
        largestAmount: '50',
        methods: [],
      }),
    ],
  };
  const records = [record(1, { completed: tally(2, '10.5', '1') }), record(2, { failed: tally(1, '50', '0.5') })];

  it('add up to the file', () => {
    expect(checkTallies(plan, sumProgress(records, 0))).toEqual([]);
    expect(totalsByStatus(sumProgress(records, 0))).toEqual([
      { status: 'completed', currency: 'IDR', count: 2, amount: '10.5', fee: '1' },
      { status: 'failed', currency: 'IDR', count: 1, amount: '50', fee: '0.5' },
    ]);
  });

  it('add up for each currency separately', () => {
    const currencies = plan.currencies.flatMap((one) => [
      one,
      { ...one, currency: 'PHP', ...tally(1, '7', '0', 'PHP') },
    ]);
    const ofBoth = [...records, record(3, { completed: tally(1, '7', '0', 'PHP') }, 'PHP')];
    expect(checkTallies({ ...plan, rows: 5, chunks: 3, currencies }, sumProgress(ofBoth, 0))).toEqual([]);
  });

  it.each([
    ['chunks_missing', records.slice(0, 1)],
    ['rows_differ', [record(1, { completed: tally(1, '10.5') }), record(2, { failed: tally(1, '50') })]],
    ['count_differs', [record(1, { completed: tally(3, '10.5') }), record(2, { failed: tally(1, '50') })]],
    ['amount_differs', [record(1, { completed: tally(2, '10.4') }), record(2, { failed: tally(1, '50') })]],
    ['currency_unplanned', [...records, record(3, { completed: tally(1, '1', '0', 'PHP') }, 'PHP')]],
  ])('are named when they do not: %s', (code, differing) => {
    expect(checkTallies(plan, sumProgress(differing, 0))).toContain(code);
  });

  it.each([0, 2])('do not add up with another number of skipped rows: %i', (invalidRows) => {
    expect(checkTallies({ ...plan, invalidRows }, sumProgress(records, 0))).toEqual(['rows_differ']);
  });
});

describe('the files of a report', () => {
  it('have a value for each column', () => {
    const { reason = { code: '', message: '' } } = payout;
    const reported = { ...payout, reason: { ...reason, providerText: 'Account closed' } };
    const columns = ['x-department', 'x-none'];
    const row = resultRow(reported, planned, columns);
    expect(row).toHaveLength(resultColumns(columns).length);
    expect(row).toEqual([
      '7',
      'INV-7',
      'Siti Rahma',
      'bca',
      '***5678',
      'fiat',
      'IDR',
      '50000.50',
      '',
      'failed',
      'provider_failed',
      'The provider says that the payout failed.',
      'Account closed',
      '',
      'd-7',
      '',
      '',
      '',
      '2031-01-01T00:00:00.000Z',
      'Accounts',
      '',
    ]);
  });

  it('have fees that add up to the merchant’s cost, whatever the payouts’ ends', () => {
    const all = payoutStatuses.map((status, index): Payout => ({ ...payout, status, fee: idr(`${index}.25`) }));
    const tallies = Object.fromEntries(all.map(({ status, fee }) => [status, tally(1, '0', fee?.amount)]));
    const currency = currencyPlan({
      rail: 'fiat',
      currency: 'IDR',
      count: 1,
      amount: '0',
      fee: '0',
      largestAmount: '0',
      methods: [],
    });
    const [reported] = compareFees(
      exampleBatch('B', { plan: examplePlan('B', 1, [currency]) }),
      sumProgress([record(1, tallies)], 0),
      orchestratorSettings().parse({}),
    );
    const column = resultColumns([]).indexOf('fee');
    const fees = all.map((of) => resultRow(of, undefined, [])[column] ?? '').filter((fee) => fee !== '');
    expect(fees).toHaveLength(payoutStatuses.length - payoutStatusesThat('endsUnpaid').length);
    expect(Money.sum('IDR', fees.map(idr))).toEqual(reported?.charged);
  });

  it.each<[string, Partial<Payout>, string]>([
    ['failed', {}, ''],
    ['was written off', { reason: { code: 'settled_written_off', message: 'Given up.' } }, '4000'],
    [
      'failed, and is contradicted',
      {
        contradictions: [
          { code: 'status', disbursementId: 'd', observed: 'completed', at: '2026-01-05T09:00:00.000Z' },
        ],
      },
      '4000',
    ],
  ])('have the fee of a payout that %s, unless its refund is known', (_, changes, fee) => {
    const reported = resultRow({ ...payout, status: 'failed', fee: idr('4000'), ...changes }, undefined, []);
    expect(reported[resultColumns([]).indexOf('fee')]).toBe(fee);
  });

  it.each<[string, Payout, PlannedPayout | undefined, object]>([
    ['nothing of the recipient', payout, undefined, { name: '', bankCode: '', account: '', 'x-department': '' }],
    [
      'the ledger’s fields',
      { ...payout, destination: { bankCode: 'bri', account: '***99' } },
      undefined,
      { name: '', bankCode: 'bri', account: '***99', 'x-department': '' },
    ],
    [
      'a wallet',
      payout,
      { ...planned, recipient: { kind: 'wallet', walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3' } },
      { name: 'Siti', bankCode: '', account: '***fXn3', 'x-department': 'Accounts' },
    ],
  ])('report a chunk file that was altered or is of another rail: %s', (_, of, plan, expected) => {
    const line = resultRow(of, plan, ['x-department']);
    expect(Object.fromEntries(resultColumns(['x-department']).map((name, at) => [name, line[at]]))).toMatchObject(
      expected,
    );
  });

  it.each([
    [1, 'The amount is zero.'],
    [3, 'The amount is zero. errors.csv lists 3 problems of this row.'],
  ])('have a line for a skipped row of %i problems', (problems, reason) => {
    const extras = { 'x-department': 'Sales', 'x-other': 'of no column' };
    const row = { row: 7, reference: 'INV-7', currency: 'IDR', amount: '', extras };
    const codes = new Set(['amount_zero', 'email_malformed']);
    const columns = resultColumns(['x-department']);
    const line = skippedResultRow({ ...row, codes, message: 'The amount is zero.', problems, texts: [] }, [
      'x-department',
    ]);
    expect(line).toHaveLength(columns.length);
    expect(Object.fromEntries(columns.map((column, index) => [column, line[index]]))).toMatchObject({
      row: '7',
      reference: 'INV-7',
      rail: '',
      currency: 'IDR',
      amount: '',
      status: 'skipped',
      reasonCode: 'amount_zero email_malformed',
      reason,
      'x-department': 'Sales',
    });
  });

  it.each<[Payout['status'], string | undefined, boolean]>([
    ['failed', 'provider_failed', true],
    ['rejected', 'refused', true],
    ['rejected', 'duplicate_reference', false],
    ['rejected', 'original_not_retryable', false],
    ['canceled', undefined, false],
    ['completed', undefined, false],
    ['quarantined', undefined, false],
  ])('offer a payout that is %s (%s) for a retry: %s', (status, code, retryable) => {
    const reason = code === undefined ? {} : { reason: { code, message: '' } };
    expect(isRetryable({ status, ...reason })).toBe(retryable);
  });

  it.each<[Payout['status'], Contradiction['code'], Contradiction['observed']]>([
    ['failed', 'changed_after_end', 'completed'],
    ['failed', 'reference_used_twice', 'pending'],
    ['rejected', 'made_after_all', 'pending'],
    ['rejected', 'made_after_all', 'failed'],
  ])('never offer a contradicted payout that is %s (%s, %s), noted or not, and report it', (status, code, observed) => {
    const contradictions = [{ code, disbursementId: 'd-8', observed, at: '2031-01-02T00:00:00.000Z' }];
    expect(isRetryable({ status })).toBe(true);
    expect(isRetryable({ status, contradictions })).toBe(false);
    const noted = { ...payout, status, contradictions, contradictionsNoted: 1 };
    expect(isRetryable(noted)).toBe(false);
    expect(resultRow({ ...payout, status, contradictions }, undefined, [])).toContain(`${code}:d-8:${observed}`);
  });

  it('have failed rows that can be uploaded unchanged, under new references', async () => {
    const planned: PlannedPayout[] = [
      {
        row: 7,
        reference: 'INV-7',
        amount: '50000.50',
        recipient: { kind: 'bank', bankCode: 'bca', bankName: 'BCA', accountNumber: '0012', accountName: '=cmd|1' },
        name: '@Siti',
        note: '\'-refund, "2nd" line',
        extras: { 'x-Department': '=Accounts' },
      },
      {
        row: 9,
        reference: '01JZ8Q4N3V0D6T2W5X7Y9A1B3C-9',
        amount: '70000',
        recipient: { kind: 'recipientId', recipientId: 'rec_9' },
      },
    ];
    const csv = csvReport(retryColumns(['x-Department', 'x-none']));
    for (const each of planned) csv.write(retryRow(each, { amount: idr(each.amount) }, ['x-Department', 'x-none']));
    csv.end();
    const again = await planBytes(await text(csv));
    expect(again.errors).toEqual([]);
    const references = ['INV-7.r1', '01JZ8Q4N3V0D6T2W5X7Y9A1B3C-9.r1'];
    expect(payoutsOf(again)).toEqual(
      planned.map((each, index) => ({ ...each, row: index + 1, reference: references[index], currency: 'IDR' })),
    );
  });

  it.each([
    [
      'in our words and the provider’s',
      { message: 'The provider says so.', providerText: 'ACCOUNT CLOSED' },
      'The provider says so. ACCOUNT CLOSED',
    ],
    [
      'once when our words have the provider’s',
      { message: 'It refused it: no bank', providerText: 'no bank' },
      'It refused it: no bank',
    ],
  ])('end with the reason of a row’s failure: %s', (_, reason, reported) => {
    const planned: PlannedPayout = {
      row: 1,
      reference: 'a',
      amount: '1',
      recipient: { kind: 'recipientId', recipientId: 'r' },
    };
    const row = retryRow(planned, { amount: idr('1'), reason: { code: 'c', ...reason } }, ['x-a']);
    expect(row[retryColumns(['x-a']).indexOf('error')]).toBe(reported);
    expect(row.at(-1)).toBe(reported);
  });

  it('have no cell that a spreadsheet would run', async () => {
    const csv = csvReport(['a', 'b', 'c', 'd']);
    csv.write(['=1+1', '+1', '-1', '@x']);
    csv.write(["'=1", 'x=1', '\tx', '']);
    csv.end();
    expect(await text(csv)).toBe("a,b,c,d\n'=1+1,'+1,'-1,'@x\n''=1,x=1,'\tx,\n");
  });
});

describe('errors.csv', () => {
  const error = (row: number) => [String(row), '', 'INV-7', '=amount', 'amount_zero', 'The amount is zero.', 'IDR', ''];

  it('is not written when there is no error', async () => {
    let puts = 0;
    const report = csvSink(errorColumns, async () => {
      puts++;
      return 'key';
    });
    expect(await report.finish()).toBeUndefined();
    expect(puts).toBe(0);
  });

  it('has every error, and waits for a slow reader', async () => {
    let stored = '';
    const report = csvSink(errorColumns, async (csv) => {
      stored = await text(csv);
      return 'batches/B/errors.csv';
    });
    let waits = 0;
    for (let row = 1; row <= 5_000; row++) {
      const written = report.write(error(row));
      if (written !== undefined) waits++;
      await written;
    }
    expect(await report.finish()).toBe('batches/B/errors.csv');
    expect(waits).toBeGreaterThan(0);
    const lines = stored.trimEnd().split('\n');
    expect(lines).toHaveLength(5_001);
    expect(lines[0]).toBe('row,line,reference,column,code,message,currency,amount,extras');
    expect(lines[5_000]).toBe("5000,,INV-7,'=amount,amount_zero,The amount is zero.,IDR,");
  });

  it('reports a failed upload when it is finished, and never hangs before', async () => {
    const report = csvSink(errorColumns, () => Promise.reject(new Error('the bucket is out')));
    for (let row = 1; row <= 3_000; row++) await report.write(error(row));
    await expect(report.finish()).rejects.toThrow('the bucket is out');
  });
});
