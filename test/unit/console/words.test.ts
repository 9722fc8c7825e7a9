import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import { formatAge, formatTime } from '../../../functions/console/markup/time-text.ts';
import { drawBatch } from '../../../functions/console/views/batch.ts';
import { drawBatches } from '../../../functions/console/views/batches.ts';
import { progress } from '../../../functions/console/views/counts-and-money.ts';
import { drawPayout, drawPayouts } from '../../../functions/console/views/payouts.ts';
import { drawRecipient } from '../../../functions/console/views/recipient.ts';
import { callerName, formatBytes, lineInWords } from '../../../functions/console/words/labels.ts';
import { paidStatuses, toneOfBatch, toneOfPayout, unpaidStatuses } from '../../../functions/console/words/tones.ts';
import { batchStatuses, batchStatusesThat } from '../../../functions/domain/batch/batch-status.ts';
import { describeCode } from '../../../functions/domain/batch/batch-status-text.ts';
import type { ObservedStatus } from '../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../functions/domain/payout/payout-status.ts';
import { at, batchWith, drawingAt, payoutWith } from './example-views.ts';

describe('colors', () => {
  it('of batches distinguish waiting, paying and ended ones', () => {
    expect(Object.fromEntries(batchStatuses.map((status) => [status, toneOfBatch(status)]))).toEqual({
      accepted: 'quiet',
      validating: 'quiet',
      scheduled: 'quiet',
      previewed: 'quiet',
      processing: 'active',
      pending_approval: 'waits',
      awaiting_funds: 'waits',
      paused: 'waits',
      completed: 'good',
      partially_completed: 'waits',
      failed: 'bad',
      validation_failed: 'bad',
      canceled: 'quiet',
    });
    for (const status of batchStatusesThat('mayClaim')) expect(toneOfBatch(status)).toBe('active');
  });

  it('of payouts distinguish paid, unpaid, active and waiting ones', () => {
    expect(Object.fromEntries(payoutStatuses.map((status) => [status, toneOfPayout(status)]))).toEqual({
      ready: 'quiet',
      submitting: 'active',
      pending: 'active',
      on_hold: 'waits',
      unknown: 'waits',
      quarantined: 'waits',
      completed: 'good',
      failed: 'bad',
      rejected: 'bad',
      canceled: 'quiet',
    });
  });

  it('count only completed payouts as paid, and none of these as unpaid', () => {
    expect(paidStatuses).toEqual(['completed']);
    expect(unpaidStatuses.filter((status) => paidStatuses.includes(status))).toEqual([]);
  });
});

describe('the answer whether a person was paid comes first', () => {
  it.each([
    ['completed', 'Paid'],
    ['failed', 'Not paid'],
    ['rejected', 'Not paid'],
    ['canceled', 'Not paid'],
    ['pending', 'Not settled yet'],
    ['quarantined', 'Not settled yet'],
    ['ready', 'Not settled yet'],
  ] as const)('for a %s payout: %s', (status, verdict) => {
    const payout = payoutWith('x', { status, contradictions: [] });
    expect(drawPayout(drawingAt(), payout, undefined).source).toContain(`<h1>${verdict}</h1>`);
  });

  it.each([
    ['completed', 'Paid by a retry'],
    ['failed', 'Not paid'],
    ['pending', 'Not settled yet'],
  ] as const)('for one that failed and has a %s retry: %s', (status, verdict) => {
    const lastRetry = { reference: '<x>.r2', batchId: 'b-2', status };
    const payout = payoutWith('x', { status: 'failed', contradictions: [], lastRetry });
    const drawn = drawPayout(drawingAt(), payout, undefined).source;
    expect(drawn).toContain(`<h1>${verdict}</h1>`);
    expect(drawn).toContain('&lt;x&gt;.r2');
    expect(drawRecipient(drawingAt(), { payouts: [payout] }).source).toContain('tried again: ');
  });
});

describe('what only seems to be settled is not called paid or unpaid', () => {
  const contradictions = (observed: ObservedStatus, noted = false) => [
    { code: 'changed_after_end', disbursementId: 'd-1', observed, at, noted },
  ];
  const because = (code: string) => ({ code, message: 'Because.' });
  const retried = (retry: Partial<NonNullable<PayoutView['lastRetry']>>): Partial<PayoutView> => ({
    status: 'failed',
    lastRetry: { reference: 'x.r1', batchId: 'b-2', status: 'completed', ...retry },
  });
  const contradicted = 'The provider contradicts it: see below';

  it.each<[string, Partial<PayoutView>, string]>([
    [
      'one that failed and was paid after all',
      { status: 'failed', contradictions: contradictions('completed') },
      contradicted,
    ],
    ['one whose money came back', { status: 'completed', contradictions: contradictions('failed') }, contradicted],
    [
      'a contradicted one that a person noted',
      { status: 'failed', contradictions: contradictions('completed', true) },
      contradicted,
    ],
    [
      'a contradicted one that a retry paid',
      { ...retried({}), contradictions: contradictions('completed') },
      contradicted,
    ],
    ['one that was written off', { status: 'failed', reason: because('settled_written_off') }, 'May have been paid'],
    [
      'one whose reference another payout holds',
      { status: 'rejected', reason: because('duplicate_reference') },
      'May have been paid',
    ],
    [
      'a written-off one with a retry',
      { ...retried({ status: 'rejected' }), reason: because('settled_written_off') },
      'May have been paid',
    ],
    [
      'one with a contradicted retry',
      retried({ contradictions: contradictions('failed') }),
      'The provider contradicts its retry',
    ],
    [
      'one with a written-off retry',
      retried({ status: 'failed', reason: because('settled_written_off') }),
      'May have been paid',
    ],
    [
      'one whose retry was refused for its original',
      retried({ status: 'rejected', reason: because('original_not_retryable') }),
      'May have been paid',
    ],
    [
      'except one with a retry that was refused, which is not paid',
      retried({ status: 'rejected', reason: because('provider_refused') }),
      'Not paid',
    ],
  ])('%s', (_, changes, verdict) => {
    const payout = payoutWith('x', { contradictions: [], ...changes });
    const { source } = drawPayout(drawingAt(), payout, undefined);
    expect(source).toContain(`<h1>${verdict}</h1>`);
    const isOpen = changes.contradictions?.some(({ noted }) => !noted) ?? false;
    expect(source.includes('>contradicted<')).toBe(isOpen);
  });
});

describe('the recipient, and why nobody was paid', () => {
  const failed = payoutWith('x', {
    status: 'failed',
    bankCode: 'bca',
    account: '***5678',
    reason: { code: 'provider_failed', message: 'It failed.', providerText: 'The account is closed' },
  });

  it.each([
    ['a payout', () => drawPayout(drawingAt(), failed, undefined)],
    ['a list of payouts', () => drawPayouts(drawingAt(), { view: 'payouts', batchId: 'b-1' }, { payouts: [failed] })],
  ])('%s shows the bank, the end of the account and the provider’s message', (_, draw) => {
    const { source } = draw();
    expect(source).toContain('bca');
    expect(source).toContain('***5678');
    expect(source).toContain('It failed.');
    expect(source).toContain('The provider: “The account is closed”');
  });

  it('a batch shows equal reasons once', () => {
    const other = payoutWith('y', { ...failed, reason: { code: 'provider_failed', message: 'It failed.' } });
    const { source } = drawBatch(drawingAt(), {
      batch: batchWith('x'),
      unpaid: [failed, failed, other],
      hasMoreUnpaid: false,
      askedIn: [],
    });
    expect(source.match(/It failed\./g)).toHaveLength(2);
    expect(source.match(/The account is closed/g)).toHaveLength(1);
  });
});

describe('all proofs of a batch', () => {
  const drawn = (proofs: BatchView['proofs']) =>
    drawBatch(drawingAt(), {
      batch: batchWith('x', { proofs, files: [] }),
      unpaid: [],
      hasMoreUnpaid: false,
      askedIn: [],
    }).source;

  it('have a button when the API offers a request for them', () => {
    const source = drawn({ archived: 1, expected: 2, request: 'POST /batches/b-1/proofs' });
    expect(source).toContain('>All proofs<');
    expect(source).not.toContain('There are no files yet.');
  });

  it('have no button when none is archived', () => {
    const source = drawn({ archived: 0, expected: 2 });
    expect(source).not.toContain('>All proofs<');
    expect(source).toContain('There are no files yet.');
  });
});

describe('a batch’s progress', () => {
  it.each([
    [{ completed: 2 }, undefined, '2 of 2 paid'],
    [{ completed: 1, failed: 1, pending: 1 }, undefined, '1 of 3 paid · 1 not paid · 1 open'],
    [{ ready: 1_000_000 }, undefined, '0 of 1,000,000 paid · 1,000,000 open'],
    [{}, undefined, 'not planned yet'],
    [{}, { rows: 3, validRows: 0, invalidRows: 3, chunks: 0, errors: [] }, '3 rows, nothing sent'],
  ])('%o', (counts, plan, words) => {
    expect(progress({ counts, ...(plan === undefined ? {} : { plan }) }).source).toContain(words);
  });

  it('counts skipped rows, and leaves their share of the bar empty', () => {
    const { source } = progress({ counts: { completed: 4 }, skippedRows: 5 });
    expect(source).toContain('>4 of 9 paid · 5 skipped<');
    expect(source.match(/width:[^"]*/g)).toEqual(['width:44.4%']);
  });
});

describe('times', () => {
  it.each([
    ['+00:00', '2026-01-05 23:30 UTC'],
    ['+07:00', '2026-01-06 06:30 +07'],
    ['-03:30', '2026-01-05 20:00 -03:30'],
    ['nonsense', '2026-01-05 23:30 UTC'],
  ])('use the dashboard’s clock, and name its zone: %s', (offset, shown) => {
    expect(formatTime('2026-01-05T23:30:00.000Z', offset).text).toBe(shown);
  });

  it.each([
    [0, 'now'],
    [59_000, '59 s ago'],
    [60_000, '1 min ago'],
    [7_300_000, '2 h ago'],
    [200_000_000, '2 d ago'],
    [-120_000, 'in 2 min'],
  ])('%i ms ago is %s', (ms, shown) => {
    expect(formatAge('2026-01-05T00:00:00.000Z', Date.parse('2026-01-05T00:00:00.000Z') + ms)).toBe(shown);
  });

  it('text that is not a time stays unchanged', () => {
    expect([formatTime('soon', '+00:00').text, formatAge('soon', 0)]).toEqual(['soon', 'soon']);
  });
});

it('every status of a batch has its own word', () => {
  const shown = batchStatuses.map(describeCode);
  expect(new Set(shown).size).toBe(batchStatuses.length);
  expect(shown).toEqual(expect.arrayContaining(['checked', 'refused', 'awaits approval']));
});

it.each([
  ['batch.pending_approval', 'awaits approval'],
  ['batch.validation_failed', 'refused'],
  ['payout.contradicted', 'payout contradicted'],
])('the line %s of a timeline reads "%s"', (code, words) => {
  expect(lineInWords(code)).toBe(words);
});

it.each([
  ['arn:aws:iam::123456789012:user/clerk', '>user/clerk<'],
  ['system', '>system<'],
  ['console (a CloudWatch dashboard)', '>console (a CloudWatch dashboard)<'],
])('the actor is shown without the account: %s', (caller, shown) => {
  expect(callerName(caller).source).toContain(shown);
});

it.each([
  [{ status: 'scheduled', startAt: '2026-01-05T14:00:00.000Z' }, 'in 2 h'],
  [{ status: 'processing', cancelRequestedAt: at }, 'canceling'],
] as const)('a list shows %o as %s', (about, shown) => {
  const { startAt: _, cancelRequestedAt: __, ...plain } = batchWith('x');
  const { source } = drawBatches(drawingAt(), { batches: [{ ...plain, ...about }], askedFor: new Set() });
  expect(source).toContain(shown);
  expect(
    drawBatches(drawingAt(), { batches: [{ ...plain, ...about, status: 'canceled' }], askedFor: new Set() }).source,
  ).not.toContain(shown);
});

it.each([
  ['what needs a person says it too', 'The batch is paused. Resume it.'],
  ['nothing else says it', 'Something else.'],
])('the reason of a batch is shown once when %s', (_, message) => {
  const batch = batchWith('x', {
    reason: { code: 'paused', message: 'The batch is paused.' },
    attention: [{ code: 'paused', message, requests: [] }],
  });
  const { source } = drawBatch(drawingAt(), { batch, unpaid: [], hasMoreUnpaid: false, askedIn: [] });
  expect(source.match(/The batch is paused\./g)).toHaveLength(1);
});

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [18_432_000, '18.4 MB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
