import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { PayoutStatus } from '../../../functions/domain/payout/payout-status.ts';
import { openWorkbook } from '../../../functions/domain/payout-file/readers/xlsx/open-workbook.ts';
import type { SheetRow } from '../../../functions/domain/payout-file/readers/xlsx/sheet-rows.ts';
import { idr } from '../../support/money.ts';
import { batchId, column, createReportScene } from './report/report-scene.ts';

const found = {
  code: 'changed_after_end',
  disbursementId: 'd-1',
  observed: 'completed',
  at: '2026-11-21T07:00:00.000Z',
} as const;

describe('ReportBatch', () => {
  it('reports every row in the order of the file, across chunks', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(column(scene.written.get('results.csv'), 0)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(scene.written.has('retry.csv')).toBe(false);
    expect(await scene.batch()).toMatchObject({ status: 'completed', executionEnded: true });
  });

  it.each([
    ['makes a new report due when a row changed while it was being written', true, 1],
    ['makes no new report due when every row is as reported', false, 0],
  ])('%s', async (_, isChanged, due) => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'on_hold');
    scene.delayStoring(async () => {
      if (isChanged) await scene.end(6, 'failed');
    });
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    scene.passDays(0.5);
    expect(await scene.ledger.listDueReconciliations()).toHaveLength(due);
    // As if the first run had died before it made a report due: the repetition must do so.
    for (const { batchId: id, dueAt } of await scene.ledger.listDueReconciliations()) {
      const found = await scene.ledger.readReconciliation({ batchId: id, dueAt });
      if (found !== undefined) await scene.ledger.endReconciliation(found);
    }
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    scene.passDays(0.1);
    expect(await scene.ledger.listDueReconciliations()).toHaveLength(due);
  });

  it('makes no report due for a paused batch when an abandoned run ends late, because only a person resumes it', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'pending');
    await scene.run(batchId, true);
    await scene.end(6, 'failed');
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    const reason = { code: 'invariant_broken', message: 'Find out why before you resume.' };
    await scene.ledger.moveBatch(batchId, batchTransitions.recordFailure, 'system', { reason, endedExecution: 2 });
    await scene.run();
    expect(await scene.batch()).toMatchObject({ status: 'paused', executionEnded: true });
    scene.passDays(0.5);
    expect(await scene.ledger.listDueReconciliations()).toEqual([]);
  });

  it('writes the failed rows ready to upload again, under new references and without a formula', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(3, 'failed');
    await scene.end(5, 'failed');
    await scene.run();
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-3.r1', 'ref-5.r1']);
    expect(scene.written.get('retry.csv')).toContain("'=cmd()");
    expect((await scene.batch())?.status).toBe('partially_completed');
  });

  it('writes the failed rows of a workbook as a workbook with leading zeros and reasons', async () => {
    const scene = await createReportScene([1, 2, 3], undefined, [], { isWorkbook: true });
    await scene.endAll('completed');
    await scene.arrange(3, {
      status: 'failed',
      reason: { code: 'provider_failed', message: 'It failed.', providerText: 'ACCOUNT CLOSED' },
    });
    await scene.run();
    expect(scene.written.has('retry.csv')).toBe(false);
    expect((await scene.batch())?.report?.retryKey).toMatch(/\/retry\.xlsx$/);
    const rows: SheetRow[] = [];
    const retry = scene.storedBytes.get('retry.xlsx') ?? Buffer.of();
    const opened = await openWorkbook(Readable.from([retry]));
    for await (const some of opened.rows) rows.push(...some.rows);
    const [header = [], row = []] = rows.map(({ cells }) => cells.map(({ text }) => text));
    const cell = (name: string) => row[header.indexOf(name)];
    expect(rows).toHaveLength(2);
    expect(rows.flatMap(({ cells }) => cells.map(({ type }) => type))).not.toContain('n');
    expect(['reference', 'amount', 'recipientId', 'note', 'error'].map(cell)).toEqual([
      'ref-3.r1',
      '10.5',
      'rcp_1',
      '=cmd()',
      'It failed. ACCOUNT CLOSED',
    ]);
  });

  it('names recipients, and for an altered chunk file the ledger’s data, until a report finds it intact', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(3, 'failed');
    await scene.end(5, 'failed');
    scene.altered.add(2);
    await scene.run();
    const names = () => column(scene.written.get('results.csv'), 2);
    expect(names()).toEqual(['Payee 1', '', '', 'Payee 4', 'Payee 5', '', 'Payee 7']);
    expect(column(scene.written.get('results.csv'), 4)).toEqual(Array.from({ length: 7 }, () => '***_1'));
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-5.r1']);
    expect(JSON.parse(scene.written.get('evidence.json') ?? '')).toMatchObject({ alteredChunks: [2] });
    expect(scene.alarms).toContain('BatchHalted');
    // Older than the records' sum, so the report counts as outdated and resuming repeats it.
    expect((await scene.batch())?.report?.chunkVersions).toBe(0);
    scene.altered.clear();
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    await scene.run(`${batchId}-2`);
    expect(names()).not.toContain('');
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-3.r1', 'ref-5.r1']);
    expect((await scene.batch())?.report?.chunkVersions).toBeGreaterThan(0);
  });

  it.each([
    ['a currency of its plan', 'IDR'],
    ['a token that only another run of PlanFunding meant to convert', 'usdt-tron'],
  ])('gives back the reservation of %s', async (_, currency) => {
    const scene = await createReportScene([1, 2, 3], async (ledger) => {
      const funds = await ledger.readFunds([currency]);
      expect(await ledger.reserve(batchId, funds, new Map([[currency, Money.of('42', currency)]]))).toBe(true);
    });
    await scene.endAll('failed');
    await scene.run();
    expect((await scene.ledger.readFunds([currency]))[0]?.reservations).toEqual([]);
    expect((await scene.batch())?.status).toBe('failed');
  });

  it('counts a quarantined payout as not completed and names it in the results', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'quarantined');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect((await scene.batch())?.status).toBe('partially_completed');
    expect(scene.written.get('results.csv')).toContain('quarantined');
  });

  const reason = (code: string) => ({ reason: { code, message: '' } });

  it.each<[string, PayoutStatus, Partial<Payout>, string]>([
    ['fails', 'failed', {}, 'failed'],
    ['is refused', 'rejected', reason('provider_rejected'), 'failed'],
    ['is not paid, by an operator', 'rejected', reason('settled_not_paid'), 'failed'],
    ['is on hold', 'on_hold', {}, 'partially_completed'],
    ['is quarantined', 'quarantined', {}, 'partially_completed'],
    ['is written off, paid or not', 'failed', reason('settled_written_off'), 'partially_completed'],
    ['may be paid by the holder of its reference', 'rejected', reason('duplicate_reference'), 'partially_completed'],
    [
      'was refused, and made after all',
      'rejected',
      { contradictions: [{ ...found, code: 'made_after_all', observed: 'pending' }] },
      'partially_completed',
    ],
    [
      'failed, and was completed then, which a person has noted',
      'failed',
      { contradictions: [found], contradictionsNoted: 1 },
      'partially_completed',
    ],
  ])('ends a batch without a completed payout, and one %s', async (_, status, changes, end) => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    await scene.arrange(2, { status, ...changes });
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect((await scene.batch())?.status).toBe(end);
  });

  it.each<[string, PayoutStatus, Partial<Payout>, string[]]>([
    ['all failed', 'failed', {}, ['BatchFailed']],
    ['the provider holds one', 'on_hold', {}, ['PayoutsHeld']],
    ['one is quarantined', 'quarantined', {}, ['PayoutQuarantined']],
    ['one cost far more than estimated', 'completed', { fee: Money.of('140000', 'PHP') }, ['FeesBeyondEstimate']],
  ])('alarms when %s', async (_, status, changes, alarms) => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    await scene.arrange(2, { status, ...changes });
    await scene.run();
    expect(scene.alarms).toEqual(alarms);
  });

  it.each([
    ['no fee', {}, '0', false],
    ['a fee far above the estimate', { fee: Money.of('140000', 'PHP') }, '140000', true],
  ])('compares %s with the estimate in the evidence', async (_, changes, charged, isBeyond) => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    await scene.arrange(2, { status: 'completed', ...changes });
    await scene.run();
    const evidence = JSON.parse(scene.written.get('evidence.json') ?? '');
    expect(evidence.fees[1]).toEqual({ rail: 'fiat', currency: 'PHP', estimated: '0', charged, isBeyond });
  });

  it('alarms even if it dies while writing the end', async () => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    Object.assign(scene.ledger, { moveBatch: () => Promise.reject(new Error('gone')) });
    await expect(scene.run()).rejects.toThrow('gone');
    expect(scene.alarms).toEqual(['BatchFailed']);
  });

  it('alarms once that nothing was paid, however often it reports', async () => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    await scene.run();
    await scene.run();
    expect(scene.alarms).toEqual(['BatchFailed']);
  });

  it.each(['ready', 'submitting', 'unknown', 'pending'] as const)(
    'returns to following when a payout has become %s, writes nothing, and begins no round',
    async (status) => {
      const scene = await createReportScene();
      await scene.endAll('completed');
      await scene.end(2, status);
      expect(await scene.run()).toEqual({ batchId, next: 'follow', round: 0, manifestKey: '', sweeps: 7 });
      expect(await scene.batch()).toMatchObject({ status: 'processing' });
      expect(scene.written.size).toBe(0);
    },
  );

  it('returns to following for a row missing from its chunk’s record, which then includes it', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.arrangeUnseen(2, { status: 'pending' });
    expect(await scene.run()).toMatchObject({ next: 'follow' });
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
    expect((await scene.ledger.listChunks(batchId)).map(({ tallies }) => tallies.pending?.count ?? 0)).toEqual([
      0, 1, 0,
    ]);
  });

  it.each([
    ['an end', 'quarantined', { status: 'completed' }],
    ['a contradiction', 'failed', { contradictions: [found] }],
  ] as const)(
    'repeats the report when a record omitted %s because its writer died first',
    async (_what, before, changes) => {
      const scene = await createReportScene();
      await scene.endAll('completed');
      await scene.end(2, before);
      await scene.arrangeUnseen(2, changes);
      expect(await scene.run()).toMatchObject({ next: 'follow' });
      expect(await scene.run()).toMatchObject({ next: 'ended' });
      const { tallies, contradictions } = (await scene.ledger.listChunks(batchId))[1] ?? {};
      const isEnd = before === 'quarantined';
      expect(tallies).toMatchObject(isEnd ? { completed: { count: 3 } } : { failed: { count: 1 } });
      expect(contradictions?.recorded).toBe(isEnd ? 0 : 1);
      expect(await scene.batch()).toMatchObject({ status: isEnd ? 'completed' : 'partially_completed' });
    },
  );

  it('returns to following for an unregistered chunk', async () => {
    const scene = await createReportScene([1, 2]);
    for (const row of [1, 2, 3, 4, 6]) await scene.end(row, 'completed');
    expect(await scene.run()).toMatchObject({ next: 'follow' });
    expect(scene.written.size).toBe(0);
  });

  it('refuses to report sums that differ from the file’s', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.arrange(1, { amount: idr('999') });
    await expect(scene.run()).rejects.toThrow('do not add up');
  });

  /** A batch that has ended as canceled, with one payout left to a person. */
  const canceledWithOneOpen = async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(2, 'canceled');
    await scene.end(6, 'quarantined');
    await scene.ledger.requestCancel(batchId, 'operator');
    await scene.run();
    return scene;
  };

  it('keeps a canceled batch canceled, and reports its open payouts’ later ends', async () => {
    const scene = await canceledWithOneOpen();
    expect(await scene.batch()).toMatchObject({ status: 'canceled' });
    const before = (await scene.batch())?.report?.chunkVersions;
    await scene.end(6, 'failed');
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    expect(await scene.run(`${batchId}-2`)).toMatchObject({ next: 'ended' });
    expect(await scene.batch()).toMatchObject({ status: 'canceled', executionEnded: true });
    expect((await scene.batch())?.report?.chunkVersions).toBeGreaterThan(before ?? 0);
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-6.r1']);
  });

  it('makes a canceled batch due for comparison again when a payout ends later', async () => {
    const scene = await canceledWithOneOpen();
    scene.passDays(10);
    await scene.end(6, 'completed');
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    await scene.run(`${batchId}-2`);
    scene.passDays(2);
    // The bank may return the money of the later end too.
    expect((await scene.ledger.listDueReconciliations()).map(({ dueAt }) => dueAt)).toEqual([
      '2026-11-22T08:00:00.000Z',
      '2026-12-02T08:00:00.000Z',
    ]);
  });

  it('repeats the report of a batch canceled too late, when the provider then canceled held payouts', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'quarantined');
    await scene.ledger.requestCancel(batchId, 'operator');
    await scene.run();
    expect(await scene.batch()).toMatchObject({ status: 'partially_completed' });
    const before = (await scene.batch())?.report?.chunkVersions;
    await scene.end(6, 'canceled');
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    expect(await scene.run(`${batchId}-2`)).toMatchObject({ next: 'ended' });
    expect(await scene.batch()).toMatchObject({ status: 'partially_completed', executionEnded: true });
    expect((await scene.batch())?.report?.chunkVersions).toBeGreaterThan(before ?? 0);
  });

  it('keeps a later run’s report when an abandoned run ends after it', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(3, 'failed');
    await scene.end(5, 'failed');
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    scene.delayStoring(() => held);
    // Its execution was stopped in the console, but the function continues.
    const givenUp = scene.run();
    await new Promise((resolve) => setImmediate(resolve));
    const payout = await scene.ledger.getPayoutByReference('ref-3');
    if (payout === undefined) throw new Error('no payout');
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    await scene.ledger.recordContradiction(payout, {
      code: 'changed_after_end',
      disbursementId: 'd-3',
      observed: 'completed',
    });
    await scene.ledger.refreshChunk(batchId, payout.chunk);
    scene.delayStoring(async () => undefined);
    await scene.run(`${batchId}-2`);
    goOn();
    await givenUp;
    const { retryKey = '' } = (await scene.batch())?.report ?? {};
    expect(column(scene.stored.get(retryKey), 0)).toEqual(['ref-5.r1']);
  });

  it('counts payouts that ended unpaid and are in no retry file', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    const contradiction = { code: 'c', disbursementId: 'd', observed: 'completed', at: 't' } as const;
    const rejected = (code: string) => ({ status: 'rejected', reason: { code, message: '' } }) as const;
    await scene.arrange(1, { status: 'canceled', disbursementId: 'd' });
    await scene.arrange(2, rejected('duplicate_reference'));
    await scene.arrange(3, rejected('original_not_retryable'));
    await scene.arrange(4, rejected('provider_rejected'));
    await scene.arrange(5, { status: 'failed', contradictions: [contradiction] });
    await scene.arrange(6, { status: 'failed', reason: { code: 'settled_written_off', message: '' } });
    await scene.run();
    expect(await scene.batch()).toMatchObject({ status: 'partially_completed', report: { leftOut: 3 } });
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-4.r1']);
  });

  it.each([
    ['canceled', 1, { status: 'canceled' }, undefined],
    ['canceled', 2, { status: 'canceled', disbursementId: 'd' }, 1],
    ['partially_completed', 3, { status: 'rejected', reason: { code: 'original_not_retryable', message: '' } }, 1],
  ] as const)('counts what somebody canceled with the batch as decided: %s', async (status, row, changes, leftOut) => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.arrange(row, changes);
    if (row === 2) await scene.end(1, 'canceled');
    await scene.ledger.requestCancel(batchId, 'arn:person');
    await scene.run();
    const batch = await scene.batch();
    expect([batch?.status, batch?.report?.leftOut]).toEqual([status, leftOut]);
  });

  const endsOf = async ({ ledger }: Awaited<ReturnType<typeof createReportScene>>) =>
    (await ledger.listTimeline(batchId, { limit: 100 })).items.filter(
      ({ code }) => code === 'batch.partially_completed',
    );

  it('ends the batch once when it runs twice, and again for another execution', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'on_hold');
    await scene.run();
    const reported = (await scene.batch())?.report;
    scene.passDays(1);
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect((await scene.batch())?.report).toEqual(reported);
    expect([scene.alarms, (await endsOf(scene)).length]).toEqual([['PayoutsHeld'], 1]);
    await scene.ledger.beginExecution(batchId, 1, 'operator');
    expect(await scene.run(`${batchId}-2`)).toMatchObject({ next: 'ended' });
    expect((await endsOf(scene)).length).toBe(2);
  });

  it('ends the batch once when two runs are concurrent', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(6, 'on_hold');
    expect(await Promise.all([scene.run(), scene.run()])).toMatchObject([{ next: 'ended' }, { next: 'ended' }]);
    expect(await endsOf(scene)).toHaveLength(1);
  });

  describe('for a file with skipped rows', () => {
    const scenes = {
      'every other row paid': { failed: [], status: 'partially_completed', reason: { code: 'rows_skipped' } },
      'some of the others paid': { failed: [4], status: 'partially_completed', reason: { code: 'rows_skipped' } },
      'none of the others paid': { failed: [1, 4, 5, 7], status: 'failed', reason: undefined },
    } as const;

    it.each(Object.entries(scenes))('is not completed: %s', async (_, { failed, status, reason }) => {
      const scene = await createReportScene([1, 3], undefined, [2, 3, 6]);
      for (const row of [1, 4, 5, 7]) await scene.end(row, 'completed');
      for (const row of failed) await scene.end(row, 'failed');
      expect(await scene.run()).toMatchObject({ next: 'ended' });
      const batch = await scene.batch();
      expect(batch?.status).toBe(status);
      expect(batch?.reason).toEqual(
        reason && { ...reason, message: expect.stringContaining('Skipped as invalid: 3 of 7 rows.') },
      );
      const results = scene.written.get('results.csv');
      expect(column(results, 0)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
      expect(results).toContain(
        '\n2,ref-2,,,,,PHP,,,skipped,amount_zero email_malformed,The amount is zero. errors.csv lists 2 problems of this row.,',
      );
      expect(column(scene.written.get('retry.csv'), 0)).toEqual(failed.map((row) => `ref-${row}.r1`));
      const evidence = JSON.parse(scene.written.get('evidence.json') ?? '');
      expect(evidence).toMatchObject({ rows: 7, validRows: 4, skippedRows: 3 });
    });

    it('includes them in interim reports too, and none of them is open', async () => {
      const scene = await createReportScene([1, 3], undefined, [2, 3, 6]);
      for (const row of [1, 4, 5]) await scene.end(row, 'completed');
      await scene.end(7, 'pending');
      await scene.run(batchId, true);
      expect(column(scene.written.get('results.csv'), 0)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
      expect((await scene.batch())?.report?.interim).toEqual({ openRows: 1 });
    });

    it('refuses to report when errors.csv does not name each', async () => {
      const scene = await createReportScene([1, 3], undefined, [2, 3, 6]);
      for (const row of [1, 4, 5, 7]) await scene.end(row, 'completed');
      scene.loseErrorsBut([2, 6]);
      await expect(scene.run()).rejects.toThrow('names 2 of 3 skipped rows');
    });
  });
});
