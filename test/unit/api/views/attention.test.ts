import { describe, expect, it } from 'vitest';
import type { Attention } from '../../../../functions/api/schemas/batch.ts';
import { attention } from '../../../../functions/api/schemas/batch.ts';
import { payoutParameters } from '../../../../functions/api/schemas/payout-path.ts';
import { decisionRefusal, decisionsOn } from '../../../../functions/api/settle/decide-settlement.ts';
import { attentionTo } from '../../../../functions/api/views/attention.ts';
import { viewPayout } from '../../../../functions/api/views/payout.ts';
import type { Elsewhere } from '../../../../functions/api/views/rows-to-correct.ts';
import type { Batch, Conversion } from '../../../../functions/domain/batch/batch.ts';
import type { BatchStatus } from '../../../../functions/domain/batch/batch-status.ts';
import { batchStatusesBeforeAnEnd, fileAltered } from '../../../../functions/domain/batch/batch-status.ts';
import { consoleCaller } from '../../../../functions/domain/batch/caller.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { sumProgress } from '../../../../functions/domain/batch/progress.ts';
import { conversionOfText } from '../../../../functions/domain/money/money-records.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { currencyPlan, tally } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { batch, payout, plan } from '../fixtures.ts';

const chunkOf = (tallies: ChunkRecord['tallies'] = {}, proofs = 0): ChunkRecord =>
  exampleChunk('b-1', { tallies, proofs, version: 4 });
type Paid = NonNullable<Batch['plan']>['alreadyPaid'];
const two = tally(2, '2');
const reportedAt = '2026-01-05T08:50:00.000Z';
const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt, chunkVersions: 4 };
const now = Date.parse('2026-01-05T09:00:00.000Z');
const conversion: Conversion = conversionOfText({
  batchId: 'b-1',
  n: 1,
  status: 'unknown',
  planned: { inputCurrency: 'a', inputAmount: '1', outputCurrency: 'b', outputAmount: '1', fee: '0', rate: '1' },
  quoteId: 'q',
  inputBalanceBefore: '1',
  outputBalanceBefore: '1',
  claimId: 'c',
  claimedAt: '2026-01-05T08:00:00.000Z',
});

const attentionOf = (
  held: Batch,
  chunks: readonly ChunkRecord[] = [],
  conversions: readonly Conversion[] = [],
  elsewhere: Partial<Elsewhere> = {},
): Attention[] =>
  attentionTo({
    batch: held,
    progress: sumProgress(chunks, now),
    conversions,
    settings: { readyTooLongMinutes: 60, feeTolerancePercent: '10' },
    nowMs: now,
    ...{ paying: [], triedAgain: [], ...elsewhere },
  }).map((one) => attention.parse(one));

const [resume, cancel] = ['POST /batches/b-1/resume', 'POST /batches/b-1/cancel'];
const reason = (code: string) => ({ code, message: `Because of ${code}.` });

describe('what a batch waits for without a person', () => {
  it('is its start time, with a way to cancel it', () => {
    const held = batch({ status: 'scheduled', startAt: '2026-01-05T17:00:00+07:00' });
    expect(attentionOf(held)).toMatchObject([{ code: 'scheduled', requests: [cancel] }]);
    expect(attentionOf(held)[0]?.message).toContain('2026-01-05T17:00:00+07:00');
  });

  it('is its canary, with the number of payouts that wait for it', () => {
    const held = batch({ plan: { ...plan, invalidRows: 0 }, canary: 2, claimUpTo: 1 });
    expect(attentionOf(held)).toMatchObject([{ code: 'canary_open', count: plan.validRows - 2 }]);
    const { claimUpTo: _passed, ...passed } = held;
    expect(attentionOf(passed)).toEqual([]);
  });
});

describe('the attention items of a batch', () => {
  it('exist for every status before an end but those in which its workflow works', () => {
    const working: readonly BatchStatus[] = ['accepted', 'validating', 'processing'];
    const quiet = batchStatusesBeforeAnEnd.filter((status) => attentionOf(batch({ status })).length === 0);
    expect(quiet).toEqual(working);
  });

  it.each([
    ['credentials_refused', 'a halted batch'],
    ['paused_by_operator', 'one that an operator paused'],
    ['funds_overdue', 'one that nobody funded'],
    ['execution_stopped', 'one whose execution was stopped'],
    ['invariant_broken', 'one whose execution failed'],
  ])('follow from its reason %s: %s', (code) => {
    expect(attentionOf(batch({ status: 'paused', reason: reason(code) }))).toMatchObject([
      { code, since: '2026-01-05T09:01:00.000Z', requests: [resume, cancel] },
    ]);
  });

  it.each([
    ['paused', { status: 'paused', reason: reason('paused_by_operator') }],
    ['without a workflow', { status: 'processing', executionEnded: true }],
  ] as const)('are only to cancel a batch that is too old and %s', (_name, changes) => {
    const old = { ...plan, payableUntil: new Date(now - 1).toISOString() };
    const [first] = attentionOf(batch({ ...changes, plan: old }));
    expect(first).toMatchObject({ code: 'too_old', requests: [cancel] });
    expect(first?.message).toMatch(/^It is too old to be resumed\. Cancel it/);
  });

  it('say until when a paused batch can be resumed', () => {
    const payable = { ...plan, payableUntil: '2026-02-10T09:00:00.000Z' };
    const [first] = attentionOf(batch({ status: 'paused', reason: reason('paused_by_operator'), plan: payable }));
    expect(first?.message).toMatch(/ It can be resumed until 2026-02-10T09:00:00\.000Z\.$/);
  });

  it.each([
    ['awaiting_funds', { status: 'awaiting_funds', reason: reason('insufficient_balance') }, 'insufficient_balance'],
    ['awaiting a lock', { status: 'awaiting_funds', reason: reason('conversion_locked') }, 'conversion_locked'],
    ['awaiting approval', { status: 'pending_approval', reason: reason('awaits_approval') }, 'awaits_approval'],
    ['a processing batch without a workflow', { status: 'processing', executionEnded: true }, 'execution_ended'],
  ] as const)('include %s', (_name, changes, code) => {
    const [first] = attentionOf(batch(changes));
    expect(first).toMatchObject({ code, since: '2026-01-05T09:01:00.000Z' });
    expect(first?.requests).toContain(cancel);
  });

  it.each([
    ['a person started', {}, 'Someone other than the starter approves it'],
    ['the console began', { createdBy: consoleCaller }, 'Someone listed in the setting approvers approves it'],
  ])('name the approvers of what %s', (_, changes, who) => {
    const [first] = attentionOf(batch({ status: 'pending_approval', reason: reason('awaits_approval'), ...changes }));
    expect(first?.message).toContain(who);
  });

  it('say that nobody can approve what a session whose person is unknown started', () => {
    const createdBy = 'arn:aws:sts::123456789012:federated-user/anybody';
    const [first] = attentionOf(batch({ status: 'pending_approval', reason: reason('awaits_approval'), createdBy }));
    expect(first?.message).toContain('Nobody can approve or reject it');
    expect(first?.requests).toEqual([cancel]);
  });

  it('ask to cancel again when a cancellation’s workflow died, and nothing while it runs', () => {
    const canceling = { status: 'paused', cancelRequestedAt: '2026-01-05T09:05:00.000Z' } as const;
    expect(attentionOf(batch({ ...canceling, executionEnded: true }))).toMatchObject([
      { code: 'execution_ended', requests: [cancel] },
    ]);
    expect(attentionOf(batch(canceling))).toEqual([]);
  });

  it('say that an altered file keeps it from being canceled', () => {
    const canceling = { status: 'paused', cancelRequestedAt: '2026-01-05T09:05:00.000Z', reason: fileAltered } as const;
    const alteredOf = (validRows: number) =>
      attentionOf(batch({ ...canceling, plan: { ...plan, validRows, invalidRows: 0 } }), [chunkOf({ ready: two })]);
    // Registered rows are canceled without their file.
    expect(alteredOf(2)).toEqual([]);
    expect(alteredOf(3)).toEqual([
      { code: 'file_altered', since: canceling.cancelRequestedAt, message: fileAltered.message, requests: [] },
    ]);
  });

  it.each([
    ['unknown', 'payouts_unknown', 'POST /payouts/{reference}/settle'],
    ['on_hold', 'payouts_on_hold', resume],
    ['quarantined', 'payouts_quarantined', 'POST /payouts/{reference}/settle'],
  ] as const)('count payouts that are %s, and say where to see them and what to ask', (status, code, request) => {
    const [first] = attentionOf(batch({ status: 'partially_completed', report }), [chunkOf({ [status]: two })]);
    expect(first).toMatchObject({ code, count: 2 });
    expect(first?.requests).toContain(`GET /batches/b-1/payouts?status=${status}`);
    expect(first?.requests).toContain(request);
  });

  it.each(['processing', 'completed', 'canceled'] as const)(
    'count contradicted payouts, with their time, in a batch that is %s',
    (status) => {
      const contradicted = { recorded: 3, payouts: 2, since: '2026-01-07T09:00:00.000Z' };
      const older = { recorded: 1, payouts: 1, since: '2026-01-06T09:00:00.000Z' };
      const chunks = [contradicted, older, { recorded: 1, payouts: 0 }].map((contradictions) => ({
        ...chunkOf(),
        contradictions,
      }));
      expect(attentionOf(batch({ status }), chunks)).toMatchObject([
        {
          code: 'payouts_contradicted',
          count: 3,
          since: older.since,
          requests: ['GET /batches/b-1/payouts?contradicted=true', 'POST /payouts/{reference}/settle'],
        },
      ]);
      expect(attentionOf(batch({ status }), chunks.slice(2))).toEqual([]);
      const again = status === 'processing' ? 'the running batch writes it again' : 'resume the batch';
      expect(attentionOf(batch({ status, report }), chunks)[0]?.message).toContain(again);
    },
  );

  it('show since when the oldest payout waits, if the chunks record it', () => {
    const chunks = ['2026-01-05T08:00:00.000Z', '2026-01-05T07:00:00.000Z'].map((on_hold) => ({
      ...chunkOf({ on_hold: two, quarantined: two }),
      waitingSince: { on_hold },
    }));
    const [onHold, quarantined] = attentionOf(batch({ status: 'processing' }), chunks);
    expect(onHold).toMatchObject({ code: 'payouts_on_hold', count: 4, since: '2026-01-05T07:00:00.000Z' });
    expect(quarantined).toMatchObject({ code: 'payouts_quarantined', count: 4 });
    expect(quarantined).not.toHaveProperty('since');
  });

  it.each([
    ['all that is left', 2, [{ code: 'payouts_pending', count: 2, since: '2026-01-05T08:00:00.000Z' }]],
    ['more than the reports knew of', 1, []],
  ])(
    'count payouts in progress at the provider once interim reports show only these as open: %s',
    (_name, openRows, expected) => {
      const chunk = { ...chunkOf({ pending: two }), waitingSince: { pending: '2026-01-05T08:00:00.000Z' } };
      const interim = { ...report, interim: { openRows } };
      expect(attentionOf(batch({ status: 'processing', report: interim }), [chunk])).toMatchObject(expected);
      expect(attentionOf(batch({ status: 'processing' }), [chunk])).toEqual([]);
    },
  );

  it.each([
    ['some are in doubt', 8, [chunkOf({ unknown: two })]],
    ['some are ready', 8, [chunkOf({ ready: two })]],
    ['some are not registered', 3, []],
  ])('do not say that only payouts in progress are left while %s', (_name, validRows, others) => {
    const interim = { ...report, interim: { openRows: 4 } };
    const processing = batch({ status: 'processing', report: interim, plan: { ...plan, validRows } });
    const codes = attentionOf(processing, [chunkOf({ pending: two }), ...others]).map(({ code }) => code);
    expect(codes).not.toContain('payouts_pending');
  });

  it('show payouts of an ended batch that are in progress again immediately, because nothing follows them', () => {
    const chunks = [chunkOf({ pending: two })];
    const ended = batch({ status: 'partially_completed', report, executionEnded: true });
    const [pending] = attentionOf(ended, chunks);
    expect(pending).toMatchObject({ code: 'payouts_pending', count: 2 });
    expect(pending?.requests).toContain(resume);
    // They are followed while the batch is processed again.
    expect(attentionOf({ ...ended, executionEnded: false }, chunks).map(({ code }) => code)).not.toContain(
      'payouts_pending',
    );
  });

  it('count missing proofs of an ended batch, and of no other', () => {
    const chunks = [chunkOf({ completed: two }, 1)];
    expect(attentionOf(batch({ status: 'completed', report }), chunks)).toMatchObject([
      { code: 'proofs_missing', count: 1, since: reportedAt, requests: [resume] },
    ]);
    expect(attentionOf(batch({ status: 'processing' }), chunks)).toEqual([]);
  });

  it('count no missing proof of a returned transfer', () => {
    const chunk = { ...chunkOf({ completed: two }, 1), contradictions: { recorded: 1, payouts: 0, withoutProof: 1 } };
    expect(attentionOf(batch({ status: 'completed', report }), [chunk])).toEqual([]);
  });

  it.each([
    ['2026-01-04T09:00:00.000Z', ['payouts_pending']],
    ['2026-01-04T09:00:00.001Z', []],
  ])('include payouts pending for a day: since %s', (pending, codes) => {
    const chunks = [{ ...chunkOf({ pending: two }), waitingSince: { pending } }, chunkOf({ pending: two })];
    const attention = attentionOf(batch({ status: 'processing' }), chunks);
    expect(attention.map(({ code }) => code)).toEqual(codes);
    for (const one of attention) expect(one).toMatchObject({ count: 2, since: pending });
  });

  describe('for payouts that were not submitted', () => {
    const ready = '2026-01-05T07:59:59.999Z';
    const statusSince = '2026-01-05T07:00:00.000Z';

    it.each([[['ready']], [['submitting']], [['ready', 'unknown']]] as const)(
      'appear once they could have been submitted for longer than the setting: %s',
      (statuses) => {
        const tallies = Object.fromEntries(statuses.map((status) => [status, two]));
        const lists = statuses.map((status) => `GET /batches/b-1/payouts?status=${status}`);
        const [found] = attentionOf(batch({ statusSince }), [{ ...chunkOf(tallies), registeredAt: ready }]);
        expect(found).toMatchObject({
          code: 'payouts_not_submitted',
          count: 2 * lists.length,
          since: ready,
          requests: [...lists, 'POST /batches/b-1/pause'],
        });
      },
    );

    it.each([
      ['they are ready for less', { statusSince }, '2026-01-05T08:00:00.000Z'],
      ['the batch may submit for less', { statusSince: '2026-01-05T08:00:00.000Z' }, ready],
      ['it is being canceled', { statusSince, cancelRequestedAt: statusSince }, ready],
      ['it is validating', { statusSince, status: 'validating' }, ready],
      ['it has ended', { statusSince, status: 'canceled' }, ready],
    ] as const)('do not appear when %s', (_name, changes, since) => {
      const chunks = [{ ...chunkOf({ ready: two }), registeredAt: since }];
      expect(attentionOf(batch(changes), chunks)).toEqual([]);
    });
  });

  it('show that payouts changed since the report', () => {
    const outdated = batch({ status: 'partially_completed', report: { ...report, chunkVersions: 3 } });
    expect(attentionOf(outdated, [chunkOf()])).toMatchObject([
      { code: 'report_outdated', since: reportedAt, requests: [resume] },
    ]);
    expect(attentionOf(batch({ status: 'partially_completed', report }), [chunkOf()])).toEqual([]);
  });

  it('name a conversion in doubt, even of an ended batch, but none in progress', () => {
    const requests = ['POST /batches/b-1/conversions/1/settle'];
    const inDoubt = { code: 'conversion_in_doubt', since: conversion.claimedAt, requests };
    expect(attentionOf(batch({ status: 'canceled' }), [], [conversion])).toMatchObject([inDoubt]);
    expect(attentionOf(batch({ status: 'canceled' }), [], [{ ...conversion, status: 'claimed' }])).toMatchObject([
      inDoubt,
    ]);
    expect(attentionOf(batch({ status: 'validating' }), [], [{ ...conversion, status: 'claimed' }])).toEqual([]);
    expect(attentionOf(batch({ status: 'completed' }), [], [{ ...conversion, status: 'not_made' }])).toEqual([]);
  });

  it('describe once what to do about an awaited conversion, and that it was settled until the batch looks again', () => {
    const waiting = batch({ status: 'awaiting_funds', reason: reason('conversion_in_doubt') });
    const settle = ['POST /batches/b-1/conversions/1/settle'];
    expect(attentionOf(waiting, [], [conversion])).toMatchObject([{ code: 'conversion_in_doubt', requests: settle }]);
    const settled = { ...conversion, status: 'not_made' } as const;
    expect(attentionOf(waiting, [], [settled])).toMatchObject([{ code: 'awaiting_funds', requests: [cancel] }]);
  });

  it('link to the conversion that locks an awaited pair', () => {
    const locked = batch({ status: 'awaiting_funds', reason: reason('conversion_locked') });
    expect(attentionOf(locked)).toMatchObject([{ code: 'conversion_locked', requests: ['GET /funds', cancel] }]);
  });

  it.each(['processing', 'partially_completed', 'failed', 'canceled'] as const)(
    'count rows that stay skipped, in a batch that is %s',
    (status) => {
      expect(attentionOf(batch({ status, plan })).slice(0, 1)).toMatchObject([
        { code: 'rows_skipped', count: 1, requests: ['GET /batches/b-1/files/errors.csv'] },
      ]);
    },
  );

  it('count no skipped rows of a refused file or one without invalid rows', () => {
    const { manifestKey: _, ...refused } = plan;
    expect(attentionOf(batch({ status: 'validation_failed', plan: refused })).map(({ code }) => code)).toEqual([
      'file_refused',
    ]);
    expect(attentionOf(batch({ status: 'completed', plan: { ...plan, rows: 5, invalidRows: 0 } }))).toEqual([]);
  });

  it.each<[string, Partial<Batch>, string, string[]]>([
    ['a file that was refused', { status: 'validation_failed', reason: reason('file_empty') }, 'file_refused', []],
    [
      'a file with invalid rows',
      {
        status: 'validation_failed',
        reason: reason('rows_invalid'),
        plan: { ...plan, errorsFile: { key: 'e', sha256: 's' } },
      },
      'file_refused',
      ['errors.csv'],
    ],
    ['a batch of which nothing was paid', { status: 'failed', report }, 'batch_failed', ['results.csv']],
    [
      'a partly paid batch with payouts that no retry file has',
      { status: 'partially_completed', report: { ...report, leftOut: 2 } },
      'payouts_left_out',
      ['results.csv'],
    ],
    [
      'a canceled batch with payouts that no retry file has',
      { status: 'canceled', report: { ...report, leftOut: 2 } },
      'payouts_left_out',
      ['results.csv'],
    ],
    [
      'a batch of which nothing was paid, with a retry file',
      { status: 'failed', report: { ...report, retryKey: 'k/retry.xlsx' } },
      'batch_failed',
      ['results.csv', 'retry.xlsx'],
    ],
  ])('tell of %s', (_, changes, code, files) => {
    const [first] = attentionOf(batch(changes), [chunkOf()]).filter((one) => one.code !== 'rows_skipped');
    const requests = files.map((name) => `GET /batches/b-1/files/${name}`);
    const says: Readonly<Record<string, string>> = {
      batch_failed: 'None of its payouts was made',
      payouts_left_out: 'These ended unpaid, and no retry file has them',
    };
    expect(first).toMatchObject({ code, since: '2026-01-05T09:01:00.000Z', requests });
    expect(first?.message).toContain(changes.reason?.message ?? says[code]);
  });

  it.each([
    ['not_released', ''],
    ['more_than_skipped', ''],
    ['too_many_corrections', ''],
    ['control_totals_differ', ' Find out which is wrong. Start again with the right file, or the right expect.'],
  ])('ask for no correction of a file whose rows are good: %s', (code, advice) => {
    const [first] = attentionOf(batch({ status: 'validation_failed', reason: reason(code) }));
    expect(first?.message).toBe(`${reason(code).message}${advice}`);
  });

  describe('of a refused file of 3 rows', () => {
    const { manifestKey: _, ...unpaid } = plan;
    const file = batch({
      status: 'validation_failed',
      reason: reason('file_invalid'),
      plan: { ...unpaid, rows: 3, invalidRows: 1 },
      correctedBy: new Set(['b-2']),
    });
    const correction = (rows: number, changes: Partial<Batch> = {}): Batch =>
      batch({ batchId: 'b-2', plan: { ...plan, rows, validRows: rows, invalidRows: 0 }, ...changes });

    it.each([
      ['pays all', correction(3), []],
      ['pays the one that is owed', correction(1), [], { rows: 2, batches: ['b-0'] }],
      ['pays some', correction(1), ['Other batches pay 1 of 3 rows: b-2. Leave those out.']],
      ['was canceled', correction(3, { status: 'canceled' }), ['Because of file_invalid. Correct the file']],
      [
        'was canceled while it paid',
        correction(3, { status: 'canceled', report }),
        ['Because of file_invalid. Canceled while paying: b-2. Leave out who was paid there, or may still be'],
      ],
      ['failed, and its own retry file has them', correction(3, { status: 'failed', report }), []],
      ['was refused itself', correction(3, { status: 'validation_failed', plan: unpaid }), ['Correct the file']],
    ] as const)('are the rows left by its correction, when that one %s', (_name, one, texts, alreadyPaid?: Paid) => {
      const held = alreadyPaid === undefined ? file : { ...file, plan: { ...unpaid, rows: 3, alreadyPaid } };
      const found = attentionOf(held, [], [], { paying: [one] });
      expect(found.map(({ code }) => code)).toEqual(texts.map(() => 'file_refused'));
      for (const text of texts) expect(found[0]?.message).toContain(text);
    });
  });

  it.each([
    ['already_paid', 'to-correct.csv has all rows.'],
    ['same_content', 'Look there first.'],
  ])('ask to check other batches: %s', (code, next) => {
    const { manifestKey: _, ...refused } = { ...plan, toCorrectKey: 'batches/b-1/plan-1/to-correct.csv' };
    const [first] = attentionOf(batch({ status: 'validation_failed', reason: reason(code), plan: refused }));
    expect(first).toMatchObject({ code: 'file_refused' });
    expect(first?.message).toContain(`Because of ${code}. ${next}`);
    expect(first?.message).not.toMatch(/Correct (the file|to-correct\.csv)/);
  });

  it('ask to leave out rows, some of which others have paid', () => {
    const [first] = attentionOf(batch({ plan: { ...plan, alreadyPaid: { rows: 1, batches: ['b-0'] } } }));
    expect(first?.message).toContain('Already paid: 1 of these, under the same references, by b-0. Remove them.');
    expect(first?.message).not.toContain('Nobody is paid');
    const [more] = attentionOf(
      batch({ plan: { ...plan, invalidRows: 2, alreadyPaid: { rows: 1, batches: ['b-0'] } } }),
    );
    expect(more?.message).toContain('Nobody is paid for the others.');
  });

  it('name the payouts of a failed batch that its retry file lacks', () => {
    const held = { status: 'failed', report: { ...report, retryKey: 'k/retry.csv', leftOut: 2 } } as const;
    const [first] = attentionOf(batch(held), [chunkOf()]).filter(({ code }) => code === 'batch_failed');
    expect(first?.message).toContain(
      'It lacks 2 of them, which the provider canceled or another payout may have paid.',
    );
  });

  it('name skipped rows, with the batches that may have paid them corrected', () => {
    const [first] = attentionOf(batch({ status: 'processing', plan, correctedBy: new Set(['b-3', 'b-2']) }));
    expect(first).toMatchObject({ code: 'rows_skipped' });
    expect(first?.message).toContain('Some may be corrected and paid by now: b-2, b-3.');
  });

  it.each([
    ['paid', { status: 'partially_completed', report }, false],
    ['still pays', { status: 'processing' }, false],
    ['is a preview', { mode: 'preview', status: 'previewed' }, true],
    ['was canceled before it paid', { status: 'canceled' }, true],
  ] as const)(
    'allow the other rows too in the corrected file of a batch that pays nobody: it %s',
    (_, changes, isWhole) => {
      const [first] = attentionOf(batch({ plan, ...changes }));
      expect(first?.code).toBe('rows_skipped');
      expect(first?.message.includes('so the corrected file may also have its other rows.')).toBe(isWhole);
    },
  );

  it('ask for corrections, in the words of the console and of the API', () => {
    const withCorrections = { ...plan, toCorrectKey: 'batches/b-1/plan-1/to-correct.csv' };
    const { manifestKey: _, ...refused } = withCorrections;
    for (const about of [
      batch({ status: 'processing', plan: withCorrections }),
      batch({ status: 'validation_failed', plan: refused }),
    ]) {
      const [first] = attentionOf(about);
      expect(first?.message).toMatch(/upload it under the same name\. Through the API, start it with corrects\./);
      expect(first?.requests).toContain('GET /batches/b-1/files/to-correct.csv');
    }
  });

  it('show a fee far beyond the estimate, by currency, to the last digit', () => {
    const usd = { rail: 'fiat', currency: 'USD', count: 2, amount: '2', largestAmount: '1', methods: [] } as const;
    const held = batch({ plan: { ...plan, currencies: [currencyPlan({ ...usd, fee: '55.73' })] }, fees: [] });
    const charged = (fee: string) =>
      attentionOf(held, [
        exampleChunk('b-1', { currency: 'USD', tallies: { pending: tally(2, '2', fee, 'USD') } }),
      ]).filter(({ code }) => code === 'fees_beyond_estimate');
    expect(charged('61.303')).toEqual([]);
    expect(charged('140000')).toMatchObject([
      { message: expect.stringContaining('140000 USD charged, 55.73 USD est') },
    ]);
  });

  it('are empty without problems', () => {
    for (const status of ['accepted', 'validating', 'processing', 'completed', 'canceled', 'previewed'] as const)
      expect(attentionOf(batch({ status }))).toEqual([]);
  });
});

describe('a payout', () => {
  const waiting: readonly PayoutStatus[] = ['unknown', 'on_hold', 'quarantined'];
  it.each(payoutStatuses)('that is %s says since when, and what to do when a person is needed', (status) => {
    const view = viewPayout(payout({ status, reference: 'a b', statusSince: '2026-01-05T08:00:00.000Z' }));
    expect(view.since).toBe('2026-01-05T08:00:00.000Z');
    expect(view.wayOut?.code).toBe(waiting.includes(status) ? `payout_${status}` : undefined);
    if (view.wayOut) expect(view.wayOut.requests).toContain('POST /payouts/a%20b/settle');
  });

  it.each(payoutStatuses)('that is %s offers the decisions that settling it takes, and no other', (status) => {
    const held = payout({ status });
    const weighed = ['as_provider_says', 'not_paid', 'paid', 'written_off'] as const;
    const taken = weighed.filter((decision) => decisionRefusal(held, decision) === undefined);
    expect(decisionsOn(held)).toEqual(taken);
    const { wayOut } = viewPayout(held);
    if (wayOut) expect(wayOut.decisions).toEqual(taken);
  });

  it('that is on hold waits for the provider, whose status alone can settle it', () => {
    expect(viewPayout(payout({ status: 'on_hold' })).wayOut).toMatchObject({ decisions: ['as_provider_says'] });
  });

  it('with a colon in its reference has a path without one', () => {
    const { wayOut } = viewPayout(payout({ status: 'quarantined', reference: 'INV:7:a' }));
    expect(wayOut?.requests).toContain('POST /payouts/INV~7~a/settle');
  });

  it.each(['INV~7~a', 'INV:7:a', 'INV%7E7%7ea'])(
    'with a colon in its reference is found at the path %s',
    (reference) => {
      expect(payoutParameters.parse({ reference })).toEqual({ reference: 'INV:7:a' });
    },
  );

  it.each(payoutStatuses)('that is %s and contradicted says so, and what its status asks for comes first', (status) => {
    const found = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'failed', at: 't' } as const;
    const view = viewPayout(payout({ status, contradictions: [found], reference: 'a b' }));
    expect(view.contradictions).toEqual([{ ...found, noted: false }]);
    expect(view.wayOut?.code).toBe(waiting.includes(status) ? `payout_${status}` : 'payout_contradicted');
    expect(view.wayOut?.requests).toContain('POST /payouts/a%20b/settle');
    expect(view.wayOut?.decisions).toContain('noted');
    const noted = viewPayout(payout({ status: 'completed', contradictions: [found], contradictionsNoted: 1 }));
    expect(noted.wayOut).toBeUndefined();
  });
});
