import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { writtenOffCode } from '../../../../functions/domain/payout/retries.ts';
import { createScene, toAccount, toId } from './debts-scene.ts';

describe('a row that repeats a debt of its file', () => {
  it('is named with its first row, even in another chunk', async () => {
    const { run, listOf } = createScene();
    const rows =
      toId('A-1', '50000', 'a') + toId('A-2', '50000', 'b') + toId('A-3', '60000', 'a') + toId('A-4', '50000.00', 'a');
    const { batchId, repeated } = await run(rows);
    const found = { row: 4, reference: 'A-4', earlierBatchId: batchId, earlierRow: 1, earlierReference: 'A-1' };
    expect(repeated).toMatchObject({ rows: 1, first: [found] });
    expect(listOf(repeated?.list.key ?? '')).toBe(
      `\ufeffrow,reference,earlierBatchId,earlierRow,earlierReference,earlierStatus,earlierProof\n4,A-4,${batchId},1,A-1,,\n`,
    );
  });

  it('is found in a preview too', async () => {
    const { run } = createScene();
    expect((await run(toId('A-1', '50000', 'a') + toId('A-2', '50000', 'a'), { mode: 'preview' })).repeated?.rows).toBe(
      1,
    );
  });

  it('is not reported when no row does', async () => {
    expect((await createScene().run(toId('A-1', '50000', 'a'))).repeated).toBeUndefined();
  });

  it('shows the first twenty, and lists all without an account', async () => {
    const { run, listOf } = createScene();
    const rows = Array.from({ length: 50 }, (_, index) => toAccount(`A-${index}`, '0012345678'));
    const { repeated } = await run(rows.join(''));
    expect(repeated).toMatchObject({ rows: 49 });
    expect(repeated?.first).toHaveLength(20);
    const list = listOf(repeated?.list.key ?? '');
    expect(list.trim().split('\n')).toHaveLength(50);
    expect(list + JSON.stringify(repeated)).not.toMatch(/0012345678|Siti|\bbca\b/);
  });
});

describe('a row that repeats a debt of another batch', () => {
  const one = toId('A-1', '50000', 'a') + toId('A-2', '70000', 'b');
  const again = toId('B-1', '80000', 'c') + toId('B-2', '50000.0', 'a');

  it('is named with its payout and proof', async () => {
    const { run, register, listOf } = createScene();
    const first = await run(one);
    const proof = { key: 'batches/x/proofs/0000001-ab.pdf', sha256: 'ab', bytes: 1 };
    await register(first.batchId, { status: 'completed', proof });
    const { repeated } = await run(again);
    expect(repeated?.list.sha256).toBe(
      createHash('sha256')
        .update(listOf(repeated?.list.key ?? ''))
        .digest('hex'),
    );
    const earlier = {
      earlierBatchId: first.batchId,
      earlierRow: 1,
      earlierReference: 'A-1',
      earlierStatus: 'completed',
    };
    expect(repeated).toMatchObject({
      rows: 1,
      first: [{ row: 2, reference: 'B-2', ...earlier, earlierProof: proof.key }],
    });
    expect(listOf(repeated?.list.key ?? '')).toContain(`2,B-2,${first.batchId},1,A-1,completed,${proof.key}\n`);
  });

  it('counts as paid when the ledger is certain, with the batches that paid', async () => {
    const { run, register } = createScene();
    const at = '2026-11-21T08:00:00.000Z';
    const contradictions = [{ code: 'c', disbursementId: 'd', observed: 'failed' as const, at }];
    const paid = await run(toId('A-1', '50000', 'a'));
    await register(paid.batchId, { status: 'completed' });
    const open = await run(toId('A-2', '60000', 'b'));
    await register(open.batchId, { status: 'pending' });
    const cameBack = await run(toId('A-3', '70000', 'c'));
    await register(cameBack.batchId, { status: 'completed', contradictions });
    const rows = [toId('B-1', '50000', 'a'), toId('B-2', '60000', 'b'), toId('B-3', '70000', 'c')];
    const { repeated } = await run([...rows, toId('B-4', '80000', 'd'), toId('B-5', '80000', 'd')].join(''));
    expect(repeated).toMatchObject({ rows: 4, ofPaid: { rows: 1, batches: [paid.batchId] } });
    expect((await run(toId('C-2', '60000', 'b'))).repeated).not.toHaveProperty('ofPaid');
  });

  it.each([
    ['hyphens', '12-3456-78', '12345678'],
    ['letter case', 'GB29NWBK6016', 'gb29nwbk6016'],
  ])('is found when the account differs in %s, also once the other is registered', async (_, account, other) => {
    const { run, register } = createScene();
    const first = await run(toAccount('A-1', account));
    expect((await run(toAccount('B-1', other), { mode: 'preview' })).repeated?.rows).toBe(1);
    await register(first.batchId, { status: 'completed' });
    expect((await run(toAccount('C-1', other))).repeated?.ofPaid).toEqual({ rows: 1, batches: [first.batchId] });
  });

  it('is found before the other is registered', async () => {
    const { run } = createScene();
    const first = await run(one);
    expect((await run(again)).repeated?.first).toMatchObject([
      { row: 2, earlierBatchId: first.batchId, earlierRow: 1 },
    ]);
  });

  it('is found by at least one of two concurrently planned batches', async () => {
    const { start, plan } = createScene();
    const both = [await start(one), await start(again)];
    const plans = await Promise.all(both.map(plan));
    expect(plans.some((planned) => planned?.repeatedDebts?.rows === 1)).toBe(true);
  });

  it.each([
    ['failed', {}, 0],
    ['rejected', {}, 0],
    ['canceled', {}, 0],
    ['pending', {}, 1],
    ['quarantined', {}, 1],
    ['ready', {}, 1],
    [
      'failed',
      { contradictions: [{ code: 'c', disbursementId: 'd', observed: 'completed', at: '2026-11-21T08:00:00.000Z' }] },
      1,
    ],
  ] as const)('whose payout is %s %j counts %i times', async (status, changes, rows) => {
    const { run, register } = createScene();
    const { batchId } = await run(one);
    await register(batchId, { status, ...changes });
    expect((await run(again)).repeated?.rows ?? 0).toBe(rows);
  });

  it('whose payout ended unpaid notes its batch, with the contradictions so far', async () => {
    const { start, plan, run, register } = createScene();
    const { batchId } = await run(one);
    await register(batchId, { status: 'failed' });
    expect(await plan(await start(again))).toMatchObject({ unpaidElsewhere: [{ batchId, contradictions: 0 }] });
    const paid = await run(toId('C-1', '60000', 'x'));
    await register(paid.batchId, { status: 'completed' });
    expect(await plan(await start(toId('D-1', '60000', 'x')))).not.toHaveProperty('unpaidElsewhere');
  });

  it('whose payout ended unpaid notes only the contradictions of payouts that ended unpaid', async () => {
    const { ledger, start, plan, run, register } = createScene();
    const { batchId } = await run(one + toId('C-1', '70000', 'b'));
    await register(batchId, { status: 'failed' });
    for (const [reference, status] of [
      ['A-2', 'failed'],
      ['C-1', 'completed'],
    ] as const) {
      const payout = { ...((await ledger.getPayoutByReference(reference)) ?? expect.fail('no payout')), status };
      ledger.putPayout(payout);
      await ledger.recordContradiction(payout, { code: 'c', disbursementId: 'd', observed: 'pending' });
    }
    expect(await plan(await start(again))).toMatchObject({ unpaidElsewhere: [{ batchId, contradictions: 1 }] });
  });

  it.each([
    ['is not noted of a payout that the row retries, because that is looked up before the retry is posted', '', false],
    ['is noted beside a row that retries another payout', toId('C-1', '70000', 'b'), true],
    ['is noted of a payout that another row retries, to another recipient', toId('C-1', '50000', 'a'), true, 'z'],
  ])('%s', async (_, other, isNoted, retriedTo = 'a') => {
    const { start, plan, run, register } = createScene();
    const { batchId } = await run(one);
    await register(batchId, { status: 'failed' });
    const planned = await plan(await start(toId('A-1.r1', '50000', retriedTo) + other));
    expect(planned).toMatchObject({ retries: [{ batchId, payouts: 1 }] });
    expect(planned?.unpaidElsewhere).toEqual(isNoted ? [{ batchId, contradictions: 0 }] : undefined);
  });

  it('counts when its payout is contradicted while planning counts the contradictions', async () => {
    const { ledger, run, register } = createScene();
    const { batchId } = await run(one);
    await register(batchId, { status: 'failed' });
    const { countUnpaidContradictions } = ledger;
    ledger.countUnpaidContradictions = async (id) => {
      const count = await countUnpaidContradictions(id);
      const payout = (await ledger.getPayoutByReference('A-1')) ?? expect.fail('no payout');
      await ledger.recordContradiction(payout, { code: 'c', disbursementId: 'd', observed: 'completed' });
      return count;
    };
    expect((await run(again)).repeated?.rows).toBe(1);
  });

  it('counts when more batches did not pay it than the gate looks at', async () => {
    const { start, plan, run, register } = createScene();
    for (let count = 1; count <= 101; count += 1) {
      const { batchId } = await run(toId(`A-${count}`, '50000', 'a'));
      await register(batchId, { status: 'failed' });
    }
    const planned = await plan(await start(again));
    expect(planned?.unpaidElsewhere).toHaveLength(100);
    expect(planned?.repeatedDebts?.rows).toBe(1);
  });

  it.each([
    ['was refused', batchTransitions.refuseFile],
    ['was canceled before it registered any', batchTransitions.cancel],
  ])('does not count when the other batch %s', async (_name, transition) => {
    const { run, ledger } = createScene();
    const { batchId } = await run(one);
    await ledger.moveBatch(batchId, transition, 'arn:person', {});
    expect((await run(again)).repeated).toBeUndefined();
  });

  it('does not count when the other was a preview, and counts in one', async () => {
    const { run } = createScene();
    await run(one, { mode: 'preview' });
    expect((await run(again, { mode: 'preview' })).repeated).toBeUndefined();
    await run(one);
    expect((await run(again.replaceAll('B-', 'C-'), { mode: 'preview' })).repeated?.rows).toBe(1);
  });

  it('is found by another payout of the debt when the first one failed', async () => {
    const { run, register } = createScene();
    const failed = await run(one);
    await register(failed.batchId, { status: 'failed' });
    const paid = await run(one.replaceAll('A-', 'A2-'));
    await register(paid.batchId, { status: 'completed' });
    expect((await run(again)).repeated?.first).toMatchObject([
      { earlierBatchId: paid.batchId, earlierReference: 'A2-1' },
    ]);
  });

  it('is the same when planning runs twice', async () => {
    const { run, start, plan } = createScene();
    await run(one);
    const batchId = await start(again);
    const plans = await Promise.all([plan(batchId), plan(batchId)]);
    expect(plans.map((planned) => planned?.repeatedDebts?.rows)).toEqual([1, 1]);
  });

  it('is noted at every batch that does not pay yet, and at no preview', async () => {
    const { run, ledger, register } = createScene();
    const sharersOf = async (batchId: string) => [...((await ledger.getBatch(batchId))?.sharesDebtsWith ?? [])];
    const paying = await run(one);
    await register(paying.batchId);
    await ledger.moveBatch(paying.batchId, batchTransitions.startProcessing, 'system');
    const first = await run(one.replaceAll('A-', 'A2-'));
    const second = await run(again);
    await run(again.replaceAll('B-', 'C-'), { mode: 'preview' });
    expect(await sharersOf(paying.batchId)).toEqual([]);
    expect(await sharersOf(first.batchId)).toEqual([second.batchId]);
    expect(await sharersOf(second.batchId)).toEqual([first.batchId]);
  });

  it('is searched only in the days of the window', async () => {
    const { ledger, run, register, time } = createScene({ duplicateWindowDays: 2 });
    const { batchId } = await run(one);
    await register(batchId, { status: 'completed' });
    await ledger.moveBatch(batchId, batchTransitions.cancel, 'system');
    time.now += 2 * 86_400_000 + 1;
    expect((await run(again)).repeated).toBeUndefined();
  });

  it.each<[PayoutStatus, number]>([
    ['on_hold', 1],
    ['quarantined', 1],
    ['pending', 1],
    ['completed', 0],
  ])('is found after the window if the other batch has ended and its payout is %s: %i times', async (status, rows) => {
    const { ledger, run, register, passDays } = createScene();
    const { batchId } = await run(one);
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    await register(batchId, { status });
    await ledger.moveBatch(batchId, batchTransitions.completePartially, 'system');
    passDays(8);
    expect((await run(again)).repeated?.rows ?? 0).toBe(rows);
  });

  it('is found however old the other batch’s plan is, while it may still pay', async () => {
    const { run, time } = createScene({ duplicateWindowDays: 2 });
    const { batchId } = await run(one);
    time.now += 20 * 86_400_000;
    expect((await run(again)).repeated?.first).toMatchObject([{ earlierBatchId: batchId }]);
  });

  it.each<[string, Parameters<typeof createScene>[0], { readonly startAt?: string }, number]>([
    ['is scheduled for two months ahead', {}, { startAt: '2027-01-20T15:00:00+07:00' }, 58],
    ['is scheduled for a year ahead', {}, { startAt: '2027-11-21T08:00:00Z' }, 364],
    ['is paused for as long as it may be resumed', {}, {}, 33],
    ['awaits an approval that may take a year', { approvalHours: 8760 }, {}, 394],
  ])('is found by both when the other batch %s', async (_, settings, changes, days) => {
    const { run, passDays, ledger } = createScene(settings);
    const first = await run(one, changes);
    passDays(days);
    const second = await run(again);
    expect(second.repeated?.first).toMatchObject([{ earlierBatchId: first.batchId, earlierRow: 1 }]);
    expect([...((await ledger.getBatch(first.batchId))?.sharesDebtsWith ?? [])]).toEqual([second.batchId]);
  });

  it('is found for the whole window after a late payment', async () => {
    const { run, register, passDays } = createScene();
    const { batchId } = await run(one);
    passDays(33);
    await register(batchId, { status: 'completed' });
    passDays(7);
    expect((await run(again)).repeated?.ofPaid).toEqual({ rows: 1, batches: [batchId] });
  });

  it.each<[string, Parameters<typeof createScene>[0], Parameters<ReturnType<typeof createScene>['start']>[1]]>([
    ['a preview', {}, { mode: 'preview' }],
    ['a window without days', { duplicateWindowDays: 0 }, {}],
  ])('is not recorded by %s, which may wait forever', async (_, settings, changes) => {
    const { start, plan } = createScene(settings);
    expect(await plan(await start(one, changes))).not.toHaveProperty('payableUntil');
  });

  it('is found when the other was written off and may have been paid', async () => {
    const { run, register } = createScene();
    const { batchId } = await run(one);
    await register(batchId, { status: 'failed', reason: { code: writtenOffCode, message: 'm' } });
    expect((await run(again)).repeated?.first).toMatchObject([{ earlierBatchId: batchId }]);
  });

  it('is not searched when the window has no days', async () => {
    const { run } = createScene({ duplicateWindowDays: 0 });
    expect((await run(one + toId('A-3', '70000', 'b'))).repeated).toBeUndefined();
    expect((await run(again)).repeated).toBeUndefined();
  });
});
