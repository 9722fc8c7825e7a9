import { afterAll, describe, it } from 'vitest';
import { thb, usdt } from '../../support/money.ts';
import { deployedLedger, forgetProof, markReleased, stopExecution } from '../deployed/deployed-ledger.ts';
import {
  act,
  answerOf,
  bahtRow,
  csvOf,
  freshReference,
  funds,
  idrRow,
  operator,
  payoutOf,
  reservationsOf,
  start,
  statusAsOfNow,
  statusOf,
  until,
  untilEnded,
  upload,
  walletRow,
} from '../deployed/deployed-orchestrator.ts';
import { approve, approvers, forgetPeople, newUser, startAs, untilAsked } from '../deployed/deployed-people.ts';
import { lateRow, setStatus, untilAccepted } from '../deployed/deployed-sandbox.ts';

/** ISO 8601 with an offset other than the machine's. */
const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000 + 7 * 3_600_000).toISOString().replace('Z', '+07:00');

// They take long and mostly wait, so they run concurrently. Vitest starts five, so those that wait for a minute come first.
describe.concurrent('a batch that nobody approves', () => {
  afterAll(forgetPeople);

  it('is paused in time, frees its money, and needs approval again when resumed', async ({ expect }) => {
    const [treasurer] = approvers();
    const asked = await untilAsked(await startAs(await newUser(), idrRow()));
    const expired = await until(asked.batchId, ({ status }) => status === 'paused');
    expect(expired.reason?.code).toBe('approval_expired');
    await expect.poll(() => reservationsOf(asked.batchId)).toEqual([]);
    expect(await approve(treasurer, asked)).toMatchObject({
      status: 409,
      body: { type: 'urn:payout-orchestrator:problem:status_conflict' },
    });
    await act(asked.batchId, 'resume');
    const again = await untilAsked(asked.batchId);
    expect(again.approval?.hash).toBe(asked.approval?.hash);
    expect(await approve(treasurer, again)).toMatchObject({ status: 202 });
    expect(await untilEnded(asked.batchId)).toMatchObject({ status: 'completed' });
  });
});

describe.concurrent('a batch with a start time', () => {
  it('waits once its file is checked, and is paid at its start time', async ({ expect }) => {
    // Longer than planning takes on a busy machine, beside the other tests.
    const startAt = inSeconds(75);
    const batchId = await start(await upload(csvOf(idrRow())), { startAt });
    const resting = await until(batchId, ({ status }) => status === 'scheduled');
    expect(resting).toMatchObject({ startAt, counts: { ready: 1 }, attention: [{ code: 'scheduled' }] });
    expect(resting.executions).toHaveLength(1);
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    expect(ended.executions).toHaveLength(2);
    const begun = ended.timeline.find(({ code }) => code === 'batch.processing')?.at ?? '';
    expect(Date.parse(begun)).toBeGreaterThanOrEqual(Date.parse(startAt));
  });

  it('pays nothing when it is canceled while it waits', async ({ expect }) => {
    const batchId = await start(await upload(csvOf(idrRow())), { startAt: inSeconds(3600) });
    await until(batchId, ({ status }) => status === 'scheduled');
    expect((await act(batchId, 'pause')).status).toBe(409);
    expect((await act(batchId, 'cancel')).status).toBe(202);
    await untilEnded(batchId);
    expect(await statusOf(batchId)).toMatchObject({ status: 'canceled', counts: { canceled: 1 } });
  });
});

describe.concurrent('a batch whose execution was stopped in the console', () => {
  /** Twenty payouts in two chunks. One of them, `late`, keeps it from ending before it is stopped. */
  const stoppedBatch = async (late: string): Promise<string> => {
    const nine = Array.from({ length: 9 }, () => walletRow('usdc-polygon', '2.5'));
    const ten = Array.from({ length: 10 }, () => walletRow('bnb-bsc', '0.05'));
    const batchId = await start(await upload(csvOf(lateRow(late), ...nine, ...ten)));
    await untilAccepted(late);
    await stopExecution(batchId);
    return batchId;
  };

  it('is paused with a reason, keeps its reservation, and returns it when canceled', async ({ expect }) => {
    const late = freshReference();
    const batchId = await stoppedBatch(late);
    // Only its schedule runs the watch: after at most a minute here, and five when deployed as on AWS.
    const paused = await until(batchId, ({ status }) => status === 'paused', 330_000, 1000);
    expect(paused.reason?.code).toBe('execution_stopped');
    expect(paused.attention[0]).toMatchObject({
      code: 'execution_stopped',
      requests: [`POST /batches/${batchId}/resume`, `POST /batches/${batchId}/cancel`],
    });
    const kept = await reservationsOf(batchId);
    expect(kept).toContainEqual(expect.objectContaining({ currency: 'usdc-polygon', batchStatus: 'paused' }));
    // The ten others may have settled before it was stopped.
    expect(['usdc-polygon', 'bnb-bsc,usdc-polygon']).toContain(`${kept.map(({ currency }) => currency).toSorted()}`);
    await operator().send({
      method: 'POST',
      path: `/batches/${batchId}/cancel`,
      body: { reason: 'stopped by mistake' },
    });
    await setStatus(late, 'completed');
    const ended = await untilEnded(batchId);
    const { completed = 0, canceled = 0 } = ended.counts;
    expect(completed + canceled).toBe(20);
    expect(await reservationsOf(batchId)).toEqual([]);
    expect(ended.timeline).toContainEqual(
      expect.objectContaining({ code: 'batch.cancel_requested', note: 'stopped by mistake' }),
    );
  }, 450_000);

  it('continues from the ledger in one new execution, even when resumed concurrently', async ({ expect }) => {
    const late = freshReference();
    const batchId = await stoppedBatch(late);
    const answers = await Promise.all([1, 2, 3].map(() => act(batchId, 'resume')));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await setStatus(late, 'completed');
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'completed', counts: { completed: 20 } });
    expect(ended.executions.map(({ name }) => name)).toEqual([batchId, `${batchId}-2`]);
  }, 450_000);
});

describe.concurrent('a conversion whose outcome is not known', () => {
  it('blocks its pair for other batches, which report that, until an operator settles it', async ({ expect }) => {
    const stuck = await start(await upload(csvOf(...Array.from({ length: 30 }, () => walletRow('bnb-bsc', '450')))));
    await until(stuck, ({ status }) => status === 'awaiting_funds');
    const ledger = deployedLedger();
    const planned = { input: usdt('12.34'), output: thb('400'), fee: thb('0'), rate: '32.4' };
    await markReleased(stuck, [{ input: planned.input, outputCurrency: 'THB' }]);
    await ledger.lockPair({ batchId: stuck, n: 1, planned });
    const conversion = {
      batchId: stuck,
      n: 1,
      status: 'claimed',
      planned,
      quoteId: 'q',
      inputBalanceBefore: usdt('77.7'),
      outputBalanceBefore: thb('3.3'),
      claimId: 'claim',
      claimedAt: '2026-01-01T00:00:00.000Z',
    } as const;
    await ledger.reserve(stuck, await ledger.readFunds(['usdt-tron']), new Map([['usdt-tron', planned.input]]));
    for (const funds of await ledger.readFunds(['THB']))
      expect(await ledger.claimConversion(conversion, funds, planned.input)).toEqual({ kind: 'claimed' });
    const waiting = await start(await upload(csvOf(bahtRow())));
    const held = await until(waiting, ({ reason }) => reason?.code === 'conversion_locked');
    expect(held.reason?.message).toContain(stuck);
    expect((await funds()).locks).toMatchObject([{ batchId: stuck, conversion: 1, state: 'in_doubt' }]);
    const settleIt = () =>
      operator().send({
        method: 'POST',
        path: `/batches/${stuck}/conversions/1/settle`,
        body: { decision: 'not_happened', reason: 'not in the provider’s list' },
      });
    const first = await settleIt();
    expect(first).toMatchObject({ status: 200, body: { n: 1, status: 'not_made' } });
    expect(answerOf(await settleIt())).toEqual(answerOf(first));
    expect(await untilEnded(waiting)).toMatchObject({ status: 'completed', conversions: [{ status: 'completed' }] });
    expect((await funds()).locks).toEqual([]);
    expect((await statusOf(stuck)).timeline).toContainEqual(
      expect.objectContaining({ code: 'conversion.settled', note: 'not in the provider’s list' }),
    );
    await act(stuck, 'cancel');
    expect((await untilEnded(stuck)).status).toBe('canceled');
  });
});

describe.concurrent('missing proofs', () => {
  it('are fetched by resuming an ended batch', async ({ expect }) => {
    const reference = freshReference();
    const batchId = await start(await upload(csvOf(idrRow({ reference }), idrRow())));
    expect(await untilEnded(batchId)).toMatchObject({ status: 'completed', proofs: { archived: 2, expected: 2 } });
    await forgetProof(await payoutOf(reference));
    const lacking = await statusAsOfNow(batchId);
    expect(lacking.attention).toContainEqual(expect.objectContaining({ code: 'proofs_missing', count: 1 }));
    expect((await act(batchId, 'resume')).status).toBe(202);
    const fetched = await until(batchId, ({ proofs, attention }) => proofs.archived === 2 && attention.length === 0);
    expect(fetched).toMatchObject({ status: 'completed', actions: [] });
  });
});

describe('after this file', () => {
  it('only batches that await funds hold a reservation', async ({ expect }) => {
    const held = (await funds()).reservations.filter(({ batchStatus }) => batchStatus !== 'awaiting_funds');
    expect(held).toEqual([]);
  });
});
