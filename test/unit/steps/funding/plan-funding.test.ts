import { describe, expect, it } from 'vitest';
import { batchStatuses, batchStatusIs, batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import { tally, thb, usdt } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { batchOf, createFundingScene } from '../../../support/scenes/funding-scene.ts';

/** Statuses in which a batch keeps its money while it waits. A batch that is only `accepted` has none yet. */
const keeping = batchStatuses.filter(
  (status) =>
    batchStatusIs(status, 'movesMoney') &&
    !batchStatusIs(status, 'mayReserve') &&
    !batchStatusIs(status, 'mayClaim') &&
    status !== 'accepted',
);

describe('PlanFunding', () => {
  it.each(keeping)('keeps plan and money of a batch that is %s, however low the balance is by now', async (status) => {
    const scene = createFundingScene({ THB: '1010' });
    scene.add(batchOf('b-1', '1000'));
    await scene.plan('b-1');
    const planned = scene.ledger.batches.get('b-1') ?? batchOf('b-1', '1000');
    scene.ledger.putBatch({ ...planned, status });
    scene.balances['THB'] = '0';
    expect(await scene.plan('b-1')).toMatchObject({ next: 'release' });
    expect(planned.funding).toBeDefined();
    expect(scene.ledger.batches.get('b-1')).toMatchObject({ status, funding: planned.funding });
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
  });

  it('reserves amounts and fees and starts processing when the balance covers them', async () => {
    const scene = createFundingScene({ THB: '1010' });
    scene.add(batchOf('b-1', '1000'));
    expect(await scene.fund('b-1')).toMatchObject({
      next: 'disburse',
      manifestKey: 'batches/b-1/plan-1/manifest.json',
    });
    expect(scene.statusOf('b-1')).toBe('processing');
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
  });

  it('goes on to the report of a batch that has ended with one, whose payouts have changed since', async () => {
    const scene = createFundingScene({ THB: '0' });
    const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-11-21T08:00:00.000Z' };
    scene.add(batchOf('b-1', '1000', { status: 'completed', report }));
    expect(await scene.plan('b-1')).toMatchObject({ next: 'disburse', round: 0 });
  });

  it('keeps no plan whose money another batch has reserved meanwhile', async () => {
    const scene = createFundingScene({ THB: '1500' });
    scene.add(batchOf('b-1', '1000'));
    scene.add(batchOf('b-2', '1000'));
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      scene.provider.readBalances = readBalances;
      expect(await scene.plan('b-2')).toMatchObject({ next: 'release' });
      return readBalances();
    };
    expect(await scene.plan('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 1 });
    expect(scene.ledger.batches.get('b-1')?.funding).toBeUndefined();
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-2', amount: '1010' }]);
  });

  it('never lets two batches plan with the same money', async () => {
    const scene = createFundingScene({ THB: '1500' });
    scene.add(batchOf('b-1', '1000'));
    scene.add(batchOf('b-2', '1000'));
    const first = await Promise.all([scene.fund('b-1'), scene.fund('b-2')]);
    const again = await Promise.all([scene.fund('b-1'), scene.fund('b-2')]);
    expect([...first, ...again].filter(({ next }) => next === 'disburse').length).toBeGreaterThan(0);
    expect(await scene.reserved('THB')).toHaveLength(1);
    expect([scene.statusOf('b-1'), scene.statusOf('b-2')].filter((status) => status === 'processing')).toHaveLength(1);
  });

  it('leaves out what a batch holds at another account, which cannot be continued meanwhile', async () => {
    const scene = createFundingScene({ THB: '1500' });
    const ofFormer = batchOf('b-1', '1000');
    scene.add(ofFormer.plan === undefined ? ofFormer : { ...ofFormer, plan: { ...ofFormer.plan, account: 'former' } });
    await scene.fund('b-1');
    scene.add(batchOf('b-2', '1000'));
    expect(await scene.fund('b-2')).toMatchObject({ next: 'disburse' });
    expect(await scene.reserved('THB')).toHaveLength(2);
  });

  it('checks less and less often while another batch’s call is in doubt, and after half an hour counts it as unpaid', async () => {
    const scene = createFundingScene({ THB: '1500', 'usdt-tron': '1000' });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    scene.ledger.putChunk(
      exampleChunk('b-1', { currency: 'THB', tallies: { submitting: tally(1, '1000', '0', 'THB') } }),
    );
    scene.add(batchOf('b-2', '700'));
    const waits: unknown[] = [];
    for (const seconds of [0, 8, 392, 1399]) {
      scene.passSeconds(seconds);
      waits.push(await scene.fund('b-2'));
    }
    expect(waits).toMatchObject([1, 2, 100, 300].map((waitSeconds) => ({ next: 'wait', waitSeconds })));
    expect([scene.reasonOf('b-2'), await scene.reserved('THB')]).toEqual([
      'balance_unclear',
      [{ batchId: 'b-1', amount: '1010' }],
    ]);
    scene.passSeconds(1);
    expect(await scene.fund('b-2')).toMatchObject({ next: 'convert' });
    scene.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('220'), fee: thb('0') });
    expect(await scene.convert('b-2')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toMatchObject([{ output: thb('220') }]);
  });

  it('reserves nothing for a batch that was canceled during its planning', async () => {
    const scene = createFundingScene({ THB: '2000' });
    scene.add(batchOf('b-1', '1000'));
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      // Another run of the step, after a cancellation.
      scene.provider.readBalances = readBalances;
      await scene.ledger.requestCancel('b-1', 'operator');
      expect(await scene.fund('b-1')).toMatchObject({ next: 'ended' });
      return readBalances();
    };
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait' });
    expect(await scene.reserved('THB')).toEqual([]);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'ended' });
  });

  it('awaits funds without a reservation when nothing covers the shortfall, and continues when they come', async () => {
    const scene = createFundingScene({ THB: '500' });
    scene.add(batchOf('b-1', '1000'));
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait', waitSeconds: 300 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'insufficient_balance']);
    expect(await scene.reserved('THB')).toEqual([]);
    scene.balances['THB'] = '2000';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
  });

  it.each([
    [true, 'THB is short by 510 and the provider converts nothing to it.'],
    [false, 'THB is short by 510 and no token covers it.'],
  ])('explains why nothing is converted: the provider makes no such conversion is %s', async (isLacking, message) => {
    const scene = createFundingScene({ THB: '500' });
    scene.provider.quoteConversion = async () => ({
      kind: 'refused',
      message: 'None.',
      ...(isLacking ? { isLacking } : {}),
    });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    expect((await scene.ledger.getBatch('b-1'))?.reason?.message).toContain(message);
  });

  it.each([
    [['usdt-tron', 'usdc-polygon'], 'no token covers it'],
    [['usdc-polygon', 'usdt-tron'], 'no token covers it'],
    [['usdc-polygon'], 'the provider converts nothing to it'],
  ])('of the sources %j, where only usdt-tron could be converted to it, says: %s', async (conversionSources, cause) => {
    const scene = createFundingScene({ THB: '500' }, { conversionSources });
    scene.provider.quoteConversion = async ({ inputCurrency }) => ({
      kind: 'refused',
      message: 'None.',
      ...(inputCurrency === 'usdt-tron' ? {} : { isLacking: true }),
    });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    expect((await scene.ledger.getBatch('b-1'))?.reason?.message).toContain(cause);
  });

  it('pauses a batch that nobody funds for as long as the settings allow', async () => {
    const scene = createFundingScene({ THB: '500' });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    scene.passSeconds(72 * 3600 + 1);
    await scene.fund('b-1');
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['paused', 'funds_overdue']);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait' });
  });

  it('lets a batch that was resumed after its wait for funds wait as long again', async () => {
    const scene = createFundingScene({ THB: '500' });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    scene.passSeconds(72 * 3600 + 1);
    await scene.fund('b-1');
    await scene.ledger.moveBatch('b-1', batchTransitions.resumeAwaitingFunds, 'operator', { resumeTo: null });
    await scene.fund('b-1');
    scene.passSeconds(72 * 3600);
    await scene.fund('b-1');
    expect(scene.statusOf('b-1')).toBe('awaiting_funds');
    scene.passSeconds(1);
    await scene.fund('b-1');
    expect(scene.statusOf('b-1')).toBe('paused');
  });

  /** Another run of the step in between, which finds the money that this one has not seen. */
  const fundedMeanwhile = (scene: ReturnType<typeof createFundingScene>): void => {
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      scene.provider.readBalances = readBalances;
      const seen = await readBalances();
      scene.balances['THB'] = '1010';
      expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
      return seen;
    };
  };

  it('returns nothing that another run of the batch has reserved meanwhile', async () => {
    const scene = createFundingScene({ THB: '500' });
    scene.add(batchOf('b-1', '1000'));
    fundedMeanwhile(scene);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.statusOf('b-1')).toBe('processing');
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
  });

  it('does not pause a batch as overdue that another run has begun to disburse', async () => {
    const scene = createFundingScene({ THB: '500' });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    scene.passSeconds(72 * 3600 + 1);
    fundedMeanwhile(scene);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.statusOf('b-1')).toBe('processing');
  });

  it('shows the plan of a preview and moves nothing', async () => {
    const scene = createFundingScene({ THB: '0', 'usdt-tron': '1000' });
    scene.add(batchOf('b-1', '1000', { mode: 'preview' }));
    expect(await scene.fund('b-1')).toMatchObject({ next: 'previewed' });
    expect(scene.ledger.batches.get('b-1')?.funding?.conversions).toHaveLength(1);
    expect(await scene.reserved('THB')).toEqual([]);
    expect(scene.converted).toEqual([]);
  });

  it('ends a batch that was canceled before it disbursed and returns its money', async () => {
    const scene = createFundingScene({ THB: '500', 'usdt-tron': '1000' });
    scene.add(batchOf('b-1', '1000'));
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
    await scene.ledger.requestCancel('b-1', 'operator');
    expect(await scene.fund('b-1')).toMatchObject({ next: 'ended' });
    expect(scene.statusOf('b-1')).toBe('canceled');
    expect(await scene.reserved('usdt-tron')).toEqual([]);
  });
});
