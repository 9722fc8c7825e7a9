import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../../../functions/api/schemas/batch.ts';
import { html } from '../../../../functions/console/markup/html.ts';
import { beginParams } from '../../../../functions/console/request.ts';
import { drawBatch } from '../../../../functions/console/views/batch.ts';
import { drawBatches } from '../../../../functions/console/views/batches.ts';
import { askForPayment, checked, uploadCorrected } from '../../../../functions/console/views/next-step.ts';
import { at, batchWith, drawingAt, viewsWith } from '../example-views.ts';

const attention = [{ code: 'file_refused', message: 'Mend it.', requests: [] }];

it.each<[string, Partial<BatchView>, boolean]>([
  ['refused', { status: 'validation_failed', attention, files: ['errors.csv', 'to-correct.csv'] }, true],
  ['refused unread', { status: 'validation_failed', attention, files: ['errors.csv'] }, true],
  ['refused and corrected since', { status: 'validation_failed', attention: [], files: ['errors.csv'] }, false],
  [
    'refused, its correction too',
    { status: 'validation_failed', attention, correctedBy: ['b-2'], files: ['errors.csv'] },
    true,
  ],
  ['without bad rows', { status: 'completed', files: ['results.csv'] }, false],
])('a batch that is %s asks for the corrected file: %o', (_, about, isAsked) => {
  const { source } = html`${uploadCorrected(drawingAt(), batchWith('x', about))}`;
  expect(source.includes('Upload the corrected file')).toBe(isAsked);
  expect(source.match(/<button/g) ?? []).toHaveLength(isAsked ? 1 : 0);
});

it('offers the file to correct once, among the downloads', () => {
  const requests = ['to-correct.csv', 'errors.csv'].map((name) => `GET /batches/b-1/files/${name}`);
  const attention = [{ code: 'file_refused', message: 'Mend it.', requests }];
  const { source } = drawBatch(drawingAt(), {
    batch: batchWith('x', { status: 'validation_failed', attention, files: ['errors.csv', 'to-correct.csv'] }),
    unpaid: [],
    hasMoreUnpaid: false,
    askedIn: [],
  });
  expect(source.match(/>to-correct\.csv</g)).toHaveLength(1);
  expect(source.match(/>errors\.csv</g)).toHaveLength(1);
  expect(source).not.toContain('GET /batches');
});

it.each([
  ['previewed', 'preview', 1],
  ['validation_failed', 'preview', 0],
  ['completed', 'disburse', 0],
] as const)('a batch that is %s (%s) offers payment %i times', (status, mode, buttons) => {
  const batch = batchWith('x', { status, mode, corrects: `b-${'1'.repeat(26)}` });
  const { source } = html`${askForPayment(drawingAt(), batch, [])}`;
  expect(source.match(/<button/g) ?? []).toHaveLength(buttons);
  if (buttons === 1) {
    expect(source).toContain('Bad rows are left out: 3.');
    expect(source).toContain('&quot;invalidRows&quot;:&quot;skip&quot;,&quot;corrects&quot;');
  }
});

it.each<[string[], string]>([
  [[], '<p><b>All rows are good: 20 payouts of '],
  [['29 rows repeat a debt.'], '<p><b>29 rows repeat a debt.</b></p><p>No row would be left out: 20 payouts of '],
])('a checked file shows objections first, and what would be paid (%j)', (findings, shown) => {
  const found = findings.map((message) => ({ code: 'x', message, rows: 1, against: 'x', mayBeReleased: true }));
  const approval = { hash: 'x', findings: found, why: 'findings' } as const;
  const batch = batchWith('x', { status: 'previewed', mode: 'preview', skippedRows: 0, approval });
  const { source } = html`${checked(drawingAt(), batch, [])}${askForPayment(drawingAt(), batch, [])}`;
  expect(source).toContain(shown);
  expect(source.includes('Ask for payment to go on.')).toBe(findings.length === 0);
  const [, confirmation] = /confirmation="([^"]*)"/.exec(source) ?? [];
  for (const message of findings) expect(confirmation).toContain(message);
});

it('requests payment with the checked caution and time, and shows them first', () => {
  const careful = { startAt: '2026-02-01T09:00:00+07:00', canary: 5, pauseAbove: 0 };
  const batch = batchWith('x', { status: 'previewed', mode: 'preview', ...careful });
  const { source } = html`${askForPayment(drawingAt(), batch, [])}`;
  const [, confirmation, params = ''] = /confirmation="([^"]*)">([^<]*)</.exec(source) ?? [];
  expect(beginParams.parse(JSON.parse(params.replaceAll('&quot;', '"')))).toMatchObject(careful);
  expect(confirmation).toContain(
    'It starts at 2026-02-01T09:00:00+07:00. 5 rows are paid first. It pauses above 0 % not paid.',
  );
});

describe('a clerk’s next step', () => {
  const drawn = (changes: Partial<BatchView>): string => {
    const quiet = { attention: [], files: [], ...changes };
    return drawBatch(drawingAt(), { batch: batchWith('x', quiet), unpaid: [], hasMoreUnpaid: false, askedIn: [] })
      .source;
  };

  it.each([
    ['some may be paid again', { status: 'partially_completed', files: ['results.csv', 'retry.xlsx'] }, true],
    ['all are paid', { status: 'completed', files: ['results.csv'] }, false],
  ] as const)('is to pay again what the retry file has, or nothing: %s', (_, { status, files }, tries) => {
    const source = drawn({ status, files: [...files] });
    expect(source.includes('retry.xlsx has those that may be paid again')).toBe(tries);
    expect(source.includes('Nothing waits for a person.')).toBe(!tries);
  });

  it.each([
    [2, true],
    [3, false],
  ])('is to pay again what the retry file has, without canceled payouts: %i of 3 paid since', (paid, isAsked) => {
    const triedAgain = [{ batchId: 'b-9', status: 'completed', payouts: 3, paid } as const];
    const counts = { completed: 1, failed: 2, rejected: 1, canceled: 5 };
    const source = drawn({ status: 'canceled', counts, files: ['results.csv', 'retry.csv'], triedAgain });
    expect(source.includes('retry.csv has those that may be paid again')).toBe(isAsked);
  });

  it.each([
    ['accepted', true],
    ['validating', true],
    ['previewed', false],
    ['processing', false],
  ] as const)('is to wait only while a batch is being checked: %s', (status, isOffered) => {
    expect(drawn({ status }).includes('>Look again<')).toBe(isOffered);
  });

  it.each([
    ['undecided', {}, false],
    ['approved', { approved: { by: 'x', at, reason: 'x' } }, true],
  ] as const)('is to wait for the first check, or for another after the approval: %s', (_, decision, isApproved) => {
    const source = drawn({ status: 'validating', approval: { hash: 'x', findings: [], why: 'request', ...decision } });
    expect(source.includes('Approved. Balance and limits are being checked again.')).toBe(isApproved);
    expect(source.includes('The result appears here when that is done.')).toBe(!isApproved);
  });

  it.each([
    ['pending_approval', true],
    ['processing', false],
  ] as const)('shows the end of an approval only while that is awaited: %s', (status, isTold) => {
    const expiresAt = '2026-01-08T09:00:00.000Z';
    const approval: BatchView['approval'] = { hash: 'x', findings: [], why: 'request', expiresAt };
    const attention = [{ code: 'awaits_approval', message: 'x', requests: [] }];
    const batches = [batchWith('x', { status, approval, attention })];
    const until = '2026-01-08 16:00 +07';
    expect(drawn({ status, approval }).includes(until)).toBe(isTold);
    expect(drawBatches(drawingAt(), { batches, askedFor: new Set() }).source.includes(until)).toBe(isTold);
  });
});

describe('the list of batches', () => {
  const retry: BatchView['files'] = ['results.csv', 'retry.csv'];
  const retried = (paid: number): Partial<BatchView> => ({
    files: retry,
    triedAgain: [
      { batchId: 'b-8', status: 'failed', payouts: 3, paid: 0 },
      { batchId: 'b-9', status: 'completed', payouts: 3, paid },
    ],
  });
  const skipped = { code: 'rows_skipped', count: 5, message: 'x', requests: [] };
  it.each<[string, Partial<BatchView>, string | undefined, boolean]>([
    ['payouts that may be tried again', { files: retry, counts: { completed: 4, failed: 2, rejected: 1 } }, '3', true],
    ['canceled ones beside them', { files: retry, counts: { canceled: 7, failed: 2 } }, '2', true],
    ['skipped rows too', { files: retry, counts: { failed: 3 }, attention: [skipped] }, '3', true],
    ['some of them paid since', { ...retried(2), counts: { failed: 3 } }, '3', true],
    ['all of them paid since', { ...retried(3), counts: { failed: 3 } }, undefined, false],
    ['those paid since, and canceled ones', { ...retried(3), counts: { failed: 3, canceled: 1 } }, undefined, false],
    ['skipped rows alone', { attention: [skipped] }, undefined, true],
    ['canceled ones alone', { counts: { canceled: 7 } }, undefined, false],
  ])('shows which batches need a person: %s', (_, changes, unpaid, waits) => {
    const { triedAgain: _tried, ...plain } = batchWith('x', {
      status: 'partially_completed',
      attention: [],
      files: [],
    });
    const { source } = drawBatches(drawingAt(), { batches: [{ ...plain, ...changes }], askedFor: new Set() });
    expect(/>not paid \((\d+)\)</.exec(source)?.[1]).toBe(unpaid);
    expect(source.includes('None of these waits for a person.')).toBe(!waits);
    expect(source.includes('rows skipped (5)')).toBe(changes.attention !== undefined);
    const shows = (words: string) => source.includes(words);
    expect(shows('not paid (3), paid since by')).toBe(changes.triedAgain !== undefined && !waits);
    // Names the batch that retries, or the one that has paid.
    expect(shows('b-8')).toBe(changes.triedAgain !== undefined && waits);
    expect(shows('tried again by')).toBe(changes.triedAgain !== undefined && waits);
  });
});

it('a batch named by funds opens beside them, without a link back', () => {
  const [opened] = /<cwdb-action [^>]*>[^<]*aside[^<]*</.exec(viewsWith('x')['provider']?.().source ?? '') ?? [];
  expect(opened).toContain('display="popup"');
  const toDraw = { batch: batchWith('x'), unpaid: [], hasMoreUnpaid: false, askedIn: [] };
  expect(drawBatch(drawingAt(), toDraw).source).toContain('← All batches');
  expect(drawBatch(drawingAt(), { ...toDraw, isAside: true }).source).not.toContain('← All batches');
});

describe('a file that was checked', () => {
  const idr = (shortfall: string, unclear = '0') => ({
    ...{ currency: 'IDR', required: '9', balance: '2', reservedByOthers: '0', shortfall, unclear },
  });
  const usdt = {
    inputCurrency: 'usdt-tron',
    inputAmount: '1',
    outputCurrency: 'IDR',
    outputAmount: '9',
    fee: '0',
    rate: '9',
  };
  const of = (changes: Partial<BatchView>): BatchView =>
    batchWith('x', { status: 'previewed', mode: 'preview', ...changes });

  it.each<[string, BatchView['funding'], string, string]>([
    ['not looked at', undefined, 'The balance is checked when payment begins.', 'plain'],
    [
      'enough',
      { plannedAt: at, currencies: [idr('0')], conversions: [] },
      '16:00 +07</span>. It is checked again when payment begins.',
      'plain',
    ],
    [
      'enough once it is converted',
      { plannedAt: at, currencies: [idr('7')], conversions: [usdt] },
      ', with a conversion from usdt-tron. It is checked again',
      'plain',
    ],
    [
      'short',
      { plannedAt: at, currencies: [idr('7000000')], conversions: [] },
      ': 7,000,000.00 IDR missing. Payment waits until that is topped up.',
      'bad',
    ],
    [
      'short perhaps',
      { plannedAt: at, currencies: [idr('7', '1')], conversions: [] },
      ': up to 7.00 IDR missing.',
      'bad',
    ],
  ])('shows that a balance is %s', (_, funding, shown, tone) => {
    const { approval: _approval, ...plain } = of(funding === undefined ? {} : { funding });
    const { source } = html`${checked(drawingAt(), plain, [])}`;
    expect(source).toContain(shown);
    expect(source).toContain(`class="note ${tone}"`);
  });

  it('links to the requested payment, and requests no other', () => {
    const source = drawBatch(drawingAt(), { batch: of({}), unpaid: [], hasMoreUnpaid: false, askedIn: ['b-9'] }).source;
    expect(source).toContain('Payment of this file was asked for.');
    expect(source).toContain('&quot;batchId&quot;:&quot;b-9&quot;');
    expect(source).not.toContain('>Ask for payment<');
  });
});

it.each(['already_paid', 'same_content'])(
  'a file whose rows all belong to other batches links to those, and needs a person: %s',
  (code) => {
    const other = `b-${'2'.repeat(26)}`;
    const reason = { code, message: `All 2 rows of the file have been paid already, by ${other}.` };
    const batch = batchWith('x', { status: 'validation_failed', reason, attention, files: ['errors.csv'] });
    const { source } = drawBatch(drawingAt(), { batch, unpaid: [], hasMoreUnpaid: false, askedIn: [] });
    expect(source).toContain('Look at what the reason names:');
    expect(source).not.toContain('Nothing waits for a person.');
    expect(source).toContain(`&quot;batchId&quot;:&quot;${other}&quot;`);
    expect(source).not.toContain('Upload the corrected file');
  },
);
