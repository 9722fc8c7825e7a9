import { describe, expect, it, onTestFinished } from 'vitest';
import {
  act,
  csvOf,
  freshReference,
  idrRow,
  readReport,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
  walletRow,
} from '../deployed/deployed-orchestrator.ts';
import { lateRow, setFaults, setStatus, untilAccepted } from '../deployed/deployed-sandbox.ts';

/** Payouts in six currencies, so in six chunks. Four are submitted at once. */
const sixChunks = (): string =>
  csvOf(
    ...[
      ['usdc-polygon', '2.5'],
      ['usdc-ethereum', '12.5'],
      ['usdt-ethereum', '12.5'],
      ['eth-ethereum', '0.05'],
      ['bnb-bsc', '0.05'],
    ].flatMap(([currency = '', amount = '']) => [walletRow(currency, amount), walletRow(currency, amount)]),
    idrRow(),
    idrRow(),
  );

const slow = (endpoint: string) => ({ endpoint, fault: 'slow', probability: 1, seconds: 20 });

// These tests mostly wait, so they run concurrently. Each pays rows of its own, and only one needs `bnb-bsc`. None sets a fault.
describe.concurrent('operating a batch', () => {
  it('previews a batch without moving money, and pays the same file afterward', async ({ expect }) => {
    const file = await upload(csvOf(idrRow(), idrRow()));
    const batch = await untilEnded(await start(file, { mode: 'preview' }));
    expect(batch).toMatchObject({ status: 'previewed', plan: { validRows: 2 }, counts: {}, conversions: [] });
    expect(batch.funding?.currencies[0]).toMatchObject({ currency: 'IDR' });
    expect(batch.currencies[0]?.feeEstimated).toMatch(/^[1-9]/);
    const paid = await untilEnded(await start(file));
    expect(paid.status).toBe('completed');
  });

  it('pays the good rows, reports the skipped ones, and pays one once it is corrected', async ({ expect }) => {
    const reference = freshReference();
    const file = await upload(csvOf(idrRow(), idrRow({ reference, amount: '-5' }), idrRow()));
    const batch = await untilEnded(await start(file, { invalidRows: 'skip' }));
    expect(batch).toMatchObject({
      status: 'partially_completed',
      reason: { code: 'rows_skipped', message: expect.stringContaining('1 of 3 rows') },
      plan: { rows: 3, validRows: 2, invalidRows: 1 },
      counts: { completed: 2 },
      skippedRows: 1,
      attention: expect.arrayContaining([expect.objectContaining({ code: 'rows_skipped', count: 1 })]),
    });
    expect(batch.files).toEqual(['errors.csv', 'to-correct.csv', 'results.csv', 'evidence.json']);
    expect(await readReport(batch.batchId, 'errors.csv')).toContain(`2,3,${reference},amount,`);
    const results = (await readReport(batch.batchId, 'results.csv')).trim().split('\n').slice(1);
    expect(results.map((line) => line.split(',')[0])).toEqual(['1', '2', '3']);
    expect(results[1]).toContain(`2,${reference},,,,,IDR,,,skipped,amount_negative,`);
    expect(JSON.parse(await readReport(batch.batchId, 'evidence.json'))).toMatchObject({ rows: 3, skippedRows: 1 });

    const toCorrect = await readReport(batch.batchId, 'to-correct.csv');
    const corrected = await upload(toCorrect.replace("'-5", '50000'));
    const correction = await untilEnded(await start(corrected, { corrects: batch.batchId }));
    expect(correction).toMatchObject({ status: 'completed', counts: { completed: 1 }, corrects: batch.batchId });
    expect(await statusOf(batch.batchId)).toMatchObject({ correctedBy: [correction.batchId] });
  });

  it('returns a file with a wrong header and the error, and pays it once corrected', async ({ expect }) => {
    const row = idrRow();
    const file = await upload(csvOf(row).replace('bankCode', 'bankCod'));
    const refused = await untilEnded(await start(file));
    expect(refused).toMatchObject({ status: 'validation_failed', reason: { code: 'file_invalid' }, counts: {} });
    expect(refused.plan?.errors).toMatchObject([
      { row: 0, code: 'column_unknown', message: expect.stringContaining('Did you mean bankCode?') },
    ]);
    expect(refused.files).toEqual(['errors.csv', 'to-correct.csv']);
    const [header = '', ...lines] = (await readReport(refused.batchId, 'to-correct.csv')).trim().split(/\r?\n/);
    expect(header).toMatch(/bankCod,.*error: .*Did you mean/);
    expect(lines.map((line) => line.replace(/,+$/, ''))).toEqual([row.replace(/,+$/, '')]);
    const corrected = await upload([header.replace('bankCod,', 'bankCode,'), ...lines, ''].join('\n'));
    const correction = await untilEnded(await start(corrected, { corrects: refused.batchId }));
    expect(correction).toMatchObject({ status: 'completed', counts: { completed: 1 } });
  });

  it('cancels unclaimed payouts and follows claimed ones to their end', async ({ expect }) => {
    // Only the canary is claimed until it has ended, and one of its payouts takes a minute.
    const late = freshReference();
    const rows = [lateRow(late), ...Array.from({ length: 29 }, () => walletRow('usdc-polygon', '2.5'))];
    const batchId = await start(await upload(csvOf(...rows)), { canary: 10 });
    await untilAccepted(late);
    expect((await act(batchId, 'cancel')).status).toBe(202);
    await setStatus(late, 'completed');
    const ended = await untilEnded(batchId);
    expect(ended.status).toBe('canceled');
    const { completed = 0, canceled = 0 } = ended.counts;
    expect(completed + canceled).toBe(30);
    expect(completed).toBeGreaterThanOrEqual(10);
    expect(canceled).toBeGreaterThan(0);
    expect((await act(batchId, 'pause')).status).toBe(409);
  });

  it('awaits funds that do not come, and ends without paying when canceled', async ({ expect }) => {
    // This token cannot be bought by a conversion. The sandbox has 1000 of it, plus what other tests topped up.
    const rows = Array.from({ length: 30 }, () => walletRow('bnb-bsc', '450'));
    const batchId = await start(await upload(csvOf(...rows)));
    const waiting = await until(batchId, ({ status }) => status === 'awaiting_funds');
    expect(waiting.reason?.code).toBe('insufficient_balance');
    expect((await act(batchId, 'cancel')).status).toBe(202);
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'canceled', counts: { canceled: 30 } });
    expect((await statusOf(batchId)).conversions).toEqual([]);
  });
});

// Not beside the others, because its faults slow down every payment.
describe('a batch whose payments are slow', () => {
  it('submits nothing while paused, follows submitted payouts, and continues when resumed', async () => {
    onTestFinished(() => setFaults());
    await setFaults(slow('POST /v1/disbursement/crypto'), slow('POST /v2/disbursement/fiat'));
    const batchId = await start(await upload(sixChunks()));
    await until(batchId, ({ counts }) => (counts.submitting ?? 0) > 0);
    expect((await act(batchId, 'pause')).status).toBe(200);
    const paused = await until(
      batchId,
      ({ counts: { submitting = 0, pending = 0, completed = 0 } }) => completed > 0 && submitting + pending === 0,
    );
    expect(paused.status).toBe('paused');
    expect(paused.counts.ready ?? 0).toBeGreaterThan(0);
    await setFaults();
    expect((await act(batchId, 'resume')).status).toBe(202);
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'completed', counts: { completed: 12 } });
    expect(ended.timeline.map(({ code }) => code)).toEqual(expect.arrayContaining(['batch.paused', 'batch.resumed']));
  });
});
