import { describe, expect, it } from 'vitest';
import { giveBackIfUnchanged, readTreasury } from '../../../functions/batches/reservation.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { moneyInText } from '../../../functions/domain/money/money-by-currency.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { tally } from '../../support/money.ts';
import { exampleChunk } from '../../support/scenes/example-batch.ts';
import { batchOf, createFundingScene, lost, shortScene } from '../../support/scenes/funding-scene.ts';
import type { FundingScene } from '../../support/scenes/gate-scene.ts';

const settings = orchestratorSettings().parse({ conversionSources: ['usdt-tron'] });

const batchIn = ({ ledger }: FundingScene, batchId: string): Batch => {
  const batch = ledger.batches.get(batchId);
  if (batch === undefined) throw new Error(`no batch ${batchId}`);
  return batch;
};

/** What another batch finds, in text. */
const readBy = async ({ ledger, provider, clock }: FundingScene, changes: Partial<Batch> = {}) => {
  const batch = batchOf('b-2', '100', changes);
  const read = await readTreasury({ ledger, provider, settings, clock }, batch, ['THB', 'usdt-tron']);
  const { reservedByOthers, inDoubt } = read.situation;
  return {
    reservedByOthers: moneyInText(reservedByOthers),
    inDoubt: moneyInText(inDoubt),
    unclearSince: read.unclearSince,
  };
};

/** Batch b-1 is short, and its conversion of 100 USDT into 510 baht was never answered. */
const doubtfulScene = async () => {
  const scene = await shortScene();
  scene.answers.push(lost);
  await scene.convert('b-1');
  return scene;
};

describe('a reservation', () => {
  it('is kept when its batch has gone on since it was read, and may disburse', async () => {
    const scene = createFundingScene({ THB: '1010' });
    const { ledger } = scene;
    scene.add(batchOf('b-1', '1000'));
    const read = batchIn(scene, 'b-1');
    scene.passSeconds(1);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    expect(await giveBackIfUnchanged({ ledger, settings }, read)).toBe(false);
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
    expect(await giveBackIfUnchanged({ ledger, settings }, batchIn(scene, 'b-1'))).toBe(true);
    expect(await scene.reserved('THB')).toEqual([]);
  });

  it('counts in full when its payouts are paid after the balances were read', async () => {
    const scene = createFundingScene({ THB: '2000' });
    scene.add(batchOf('b-1', '1000'));
    await scene.fund('b-1');
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      const seen = await readBalances();
      const tallies = { pending: tally(1, '1000', '10', 'THB') };
      scene.ledger.putChunk(exampleChunk('b-1', { currency: 'THB', tallies }));
      return seen;
    };
    expect((await readBy(scene)).reservedByOthers).toEqual({ THB: '1010' });
    expect((await readBy(scene)).reservedByOthers).toEqual({ THB: '0' });
  });
});

describe('a conversion in doubt', () => {
  it.each([
    ['may have moved both its amounts', 119, { THB: '510', 'usdt-tron': '100' }],
    ['is left to a person, and counts as not made', 120, { THB: '0', 'usdt-tron': '0' }],
  ])('%s after %i s', async (_name, afterSeconds, inDoubt) => {
    const scene = await doubtfulScene();
    scene.passSeconds(afterSeconds);
    expect((await readBy(scene)).inDoubt).toEqual(inDoubt);
  });

  it.each<[string, Partial<Batch>, string]>([
    ['that is being funded', {}, '1010'],
    ['that was paused before it disburses', { status: 'paused', resumeTo: 'validating' }, '1010'],
    ['that disburses without it', { status: 'processing' }, '500'],
    ['that is canceled', { cancelRequestedAt: '2026-11-21T08:00:00.000Z' }, '500'],
  ])(
    'of a batch %s leaves others without its expected proceeds only until it disburses or ends',
    async (_name, changes, reserved) => {
      const scene = await doubtfulScene();
      scene.add({ ...batchIn(scene, 'b-1'), ...changes });
      expect((await readBy(scene)).reservedByOthers['THB']).toBe(reserved);
    },
  );

  it('keeps its proceeds for a batch that was paused and holds no reservation', async () => {
    const scene = await doubtfulScene();
    scene.add({ ...batchIn(scene, 'b-1'), status: 'paused', resumeTo: 'validating' });
    await scene.fund('b-1');
    expect(await scene.reserved('THB')).toEqual([]);
    expect((await readBy(scene)).reservedByOthers).toEqual({ THB: '510' });
  });

  it.each([
    ['half an hour', '2026-11-21T07:30:00.000Z', undefined, '2026-11-21T07:30:00.000Z'],
    ['less', '2026-11-21T07:30:00.001Z', '510', undefined],
  ])('is waited for by others for less than half an hour: %s', async (_name, unclearSince, inDoubt, overdue) => {
    const scene = await doubtfulScene();
    const { funding } = batchIn(scene, 'b-1');
    if (funding === undefined) throw new Error('no plan');
    const found = await readBy(scene, { funding: { ...funding, unclearSince } });
    expect([found.inDoubt['THB'], found.unclearSince]).toEqual([inDoubt, overdue]);
  });

  it('that is left to a person after half an hour lets the next one be waited for anew', async () => {
    const scene = await doubtfulScene();
    const { funding } = batchIn(scene, 'b-1');
    if (funding === undefined) throw new Error('no plan');
    scene.passSeconds(120);
    const unclearSince = '2026-11-21T07:30:00.000Z';
    expect((await readBy(scene, { funding: { ...funding, unclearSince } })).unclearSince).toBeUndefined();
  });
});
