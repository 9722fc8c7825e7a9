import { describe, expect, it } from 'vitest';
import { Money } from '../../../../functions/domain/money/money.ts';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import type { SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { createExecution } from '../../../support/execution.ts';
import { drawsAll } from '../../../support/fast-loop.ts';
import { idr, tally } from '../../../support/money.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { registeredChunk } from '../../../support/scenes/registered-chunk.ts';

const timeout: SubmitAnswer = { kind: 'unknown', cause: 'timeout' };

/** A chunk whose first call got this answer, and whose round is over. */
const afterFirst = async (
  answer: (references: readonly string[], scene: BatchScene) => SubmitAnswer,
  options: SceneOptions = {},
) => {
  const scene = await createBatchScene({ rows: 1, ...options });
  const run = createExecution(scene);
  scene.answers.push((references) => answer(references, scene));
  await run.submitAll();
  return { scene, run };
};

/** The provider made everything, but its answer is lost. */
const lost = (references: readonly string[], scene: BatchScene): SubmitAnswer => {
  scene.accept(references);
  return timeout;
};

const secondsSinceStart = (scene: BatchScene, startedAt: number): number => (scene.clock() - startedAt) / 1000;

it('pays no wallet twice that a refused call has paid before it refused another, and that shows up late', async () => {
  const { scene, run } = await afterFirst(() => ({ kind: 'rejected', message: 'receivers[1] is blocked' }), {
    rail: 'crypto',
    rows: 4,
  });
  const start = scene.clock();
  expect(scene.statuses()).toEqual(Array(4).fill('submitting'));
  await run.forSeconds(300);
  scene.accept(['ref-1']);
  await run.until('submit');
  expect(secondsSinceStart(scene, start)).toBeGreaterThanOrEqual(840);
  expect(scene.statuses()).toEqual(['pending', 'ready', 'ready', 'ready']);
  await run.submitAll();
  expect(scene.posted.slice(1)).toEqual([['ref-2'], ['ref-3'], ['ref-4']]);
});

describe('a lost call', () => {
  it('is looked up as soon as its function must have ended, and no earlier', async () => {
    const { scene, run } = await afterFirst(lost);
    scene.passSeconds(119);
    const output = await run.sweep();
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(output).toMatchObject({ next: 'wait', waitSeconds: 1 });
    await run.goOn(output);
    await run.sweep();
    expect(scene.statuses()).toEqual(['pending']);
  });

  it.each<Rail>(['fiat', 'crypto'])('is adopted with all its disbursements (%s)', async (rail) => {
    const { scene, run } = await afterFirst(lost, { rows: 98, rail });
    scene.passSeconds(120);
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(98).fill('pending'));
    expect(scene.listed.asked.searches).toHaveLength(rail === 'crypto' ? 98 : 0);
    expect(await scene.record()).toMatchObject({ tallies: { pending: { count: 98 } } });
  });

  it.each([
    ['another amount', { amount: idr('1') }],
    ['another destination', { destinationHash: 'other' }],
    ['another currency', { amount: Money.of('100.50', 'PHP') }],
  ])('is quarantined when the found one has %s', async (_name, changes) => {
    const { scene, run } = await afterFirst(() => timeout);
    scene.listed.add(scene.disbursementOf('ref-1', changes));
    scene.passSeconds(120);
    await run.sweep();
    expect(scene.statuses()).toEqual(['quarantined']);
    expect(scene.alarms).toEqual(['PayoutQuarantined']);
  });

  it('is quarantined when the provider used a crypto reference twice', async () => {
    const { scene, run } = await afterFirst(lost, { rail: 'crypto' });
    scene.listed.add(scene.disbursementOf('ref-1', { disbursementId: 'another' }));
    scene.passSeconds(120);
    await run.sweep();
    expect(scene.payout(1)).toMatchObject({ status: 'quarantined', reason: { code: 'several_disbursements' } });
    await run.goOn(await run.sweep());
    expect(scene.statuses()).toEqual(['quarantined']);
  });
});

describe('a payout unknown to the provider', () => {
  it('is submitted again under the same reference after three absences 120, 240 and 480 s apart, when it is fiat', async () => {
    const { scene, run } = await afterFirst(() => timeout);
    const start = scene.clock();
    const provenAt: number[] = [];
    while (scene.posted.length < 2) {
      const asked = scene.listed.asked.lookUps.length;
      const output = await run.sweep();
      if (scene.listed.asked.lookUps.length > asked) provenAt.push(secondsSinceStart(scene, start));
      await run.goOn(output);
    }
    expect(provenAt).toEqual([120, 360, 840]);
    expect(scene.posted).toEqual([['ref-1'], ['ref-1']]);
    expect(scene.payout(1)).toMatchObject({ status: 'pending', call: 2 });
    expect(scene.payout(1)).not.toHaveProperty('absences');
  });

  it.each<[Rail, number | 'forever']>([
    ['crypto', 'forever'],
    ['fiat', 0],
    ['fiat', 0.25],
  ])(
    'is quarantined after the same absences when it is %s and fiat references are unique for hours: %s',
    async (rail, referenceUniqueHours) => {
      const { scene, run } = await afterFirst(() => timeout, {
        rail,
        traits: { rails: { fiat: { referenceUniqueHours } } },
      });
      const start = scene.clock();
      const output = await run.until('report');
      expect(secondsSinceStart(scene, start)).toBeGreaterThanOrEqual(840);
      expect(scene.payout(1)).toMatchObject({ status: 'quarantined', reason: { code: 'absent_but_not_repeatable' } });
      expect(scene.posted).toHaveLength(1);
      expect(await run.goOn(output)).toBe(false);
    },
  );

  it('counts no absence twice when its sweep runs again, concurrently or soon', async () => {
    const { scene, run } = await afterFirst(() => timeout);
    scene.passSeconds(120);
    await Promise.all([run.sweep(), run.sweep()]);
    for (const seconds of [0, 5, 100, 134]) {
      scene.passSeconds(seconds);
      await run.sweep();
    }
    expect(scene.payout(1).absences).toBe(1);
    scene.passSeconds(1);
    await run.sweep();
    expect(scene.payout(1).absences).toBe(2);
  });

  it('restarts the count after it was submitted again', async () => {
    const { scene, run } = await afterFirst(() => timeout);
    scene.answers.push(() => timeout);
    while (scene.posted.length < 2) await run.goOn(await run.sweep());
    scene.passSeconds(119);
    await run.goOn(await run.sweep());
    expect(scene.payout(1)).toMatchObject({ status: 'unknown', call: 2 });
    expect(scene.payout(1)).not.toHaveProperty('absences');
    const again = scene.clock();
    await run.until('submit');
    expect(secondsSinceStart(scene, again)).toBeGreaterThanOrEqual(720);
  });

  it('is not proven absent by an outage, however long', async () => {
    const { scene, run } = await afterFirst(() => timeout);
    scene.listed.ways.fails = () => true;
    await run.forSeconds(3600);
    // One lookup per sweep, not one per second.
    expect(run.outputs.length).toBeLessThan(80);
    expect(scene.payout(1)).toMatchObject({ status: 'unknown' });
    expect(scene.payout(1)).not.toHaveProperty('absences');
    expect(scene.lines).toContainEqual(expect.objectContaining({ code: 'payout.not_answered', row: 1 }));
  });
});

describe('many payouts in doubt', () => {
  it('are all resolved within a few sweeps although three of ten requests fail', async () => {
    const { scene, run } = await afterFirst(lost, { rows: 98, rail: 'crypto' });
    // 30 % of the requests, of which a lookup makes two. A linear congruential generator, equal in each run.
    let state = 5;
    scene.listed.ways.fails = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32 < 0.3;
    };
    scene.passSeconds(120);
    const left: number[] = [];
    for (let sweep = 1; sweep <= 8; sweep += 1) {
      await run.goOn(await run.sweep());
      left.push(scene.statuses().filter((status) => status === 'unknown').length);
    }
    expect(left[0]).toBeGreaterThan(0);
    expect(left[0]).toBeLessThan(70);
    expect(left.at(-1)).toBe(0);
    expect(scene.statuses()).toEqual(Array(98).fill('pending'));
  });
});

describe('a call that was never sent', () => {
  it('returns the rows that its dead function did not return', async () => {
    const { scene, run } = await afterFirst(() => timeout, { rows: 2 });
    for (const row of [1, 2]) await scene.arrange(row, { status: 'submitting' });
    const { calls } = await registeredChunk(scene.ledger, batchId, 1);
    expect(calls).toHaveLength(1);
    scene.setOutcome({ kind: 'not_sent' });
    const output = await run.sweep();
    expect(scene.statuses()).toEqual(['ready', 'ready']);
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(output.next).toBe('submit');
    await run.goOn(output);
    expect(scene.statuses()).toEqual(['pending', 'pending']);
  });

  it('is repeated by later rounds, with growing waits while none succeeds', async () => {
    const { scene, run } = await afterFirst(() => ({ kind: 'not_sent', cause: 'refused' }), { rows: 2 });
    const start = scene.clock();
    for (let count = 0; count < 8; count += 1) scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    const postedAt: number[] = [];
    while (scene.statuses()[0] !== 'pending') {
      const { length } = scene.posted;
      await run.goOn(await run.sweep());
      if (scene.posted.length > length) postedAt.push(secondsSinceStart(scene, start));
    }
    expect(scene.statuses()).toEqual(['pending', 'pending']);
    const waits = postedAt.map((at, index) => at - (postedAt[index - 1] ?? 0));
    expect(waits.map(Math.round)).toEqual([0, 5, 10, 20, 40, 80, 160, 300, 300]);
  });
});

describe('a call refused with 400', () => {
  it('is bisected by later rounds when its function died before its lookups', async () => {
    const { scene, run } = await afterFirst(() => timeout, { rows: 4 });
    for (const row of [1, 2, 3, 4]) await scene.arrange(row, { status: 'submitting' });
    scene.setOutcome({ kind: 'rejected', message: 'Payment method not found' });
    const judge = (references: readonly string[]): SubmitAnswer =>
      references.includes('ref-3')
        ? { kind: 'rejected', message: 'Payment method not found' }
        : scene.accept(references);
    for (let count = 0; count < 4; count += 1) scene.answers.push(judge);
    const output = await run.until('submit');
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    await run.goOn(output);
    expect(scene.posted.slice(1)).toEqual([['ref-1', 'ref-2'], ['ref-3', 'ref-4'], ['ref-3'], ['ref-4']]);
    expect(scene.statuses()).toEqual(['pending', 'pending', 'rejected', 'pending']);
  });
});

describe('a lost call whose payouts no lookup shows for hours', () => {
  it('is refused as taken when repeated, so its rows are left to a person, and adopted once shown', async () => {
    const { scene, run } = await afterFirst(() => timeout, { rows: 2 });
    for (let count = 0; count < 2; count += 1)
      scene.answers.push(() => ({ kind: 'rejected', message: 'Duplicate transaction', isTaken: true }));
    const start = scene.clock();
    while (scene.posted.length < 3) await run.goOn(await run.sweep());
    await run.until('report');
    expect(secondsSinceStart(scene, start)).toBeLessThan(5400);
    expect(scene.posted).toEqual([['ref-1', 'ref-2'], ['ref-1'], ['ref-2']]);
    for (const row of [1, 2])
      expect(scene.payout(row)).toMatchObject({ status: 'quarantined', reason: { code: 'refused_but_may_exist' } });
    scene.accept(['ref-1', 'ref-2']);
    await createExecution(scene, 2).sweep();
    expect(scene.statuses()).toEqual(['pending', 'pending']);
  });
});

describe('a batch halted by 401 or 403', () => {
  const halted = async (rail: Rail, answer: SubmitAnswer) => {
    const { scene, run } = await afterFirst(() => answer, { rail, rows: 4, traits: { payoutsPerCall: 2 } });
    expect(await scene.batch()).toMatchObject({ status: 'paused', resumeTo: 'processing' });
    return { scene, run };
  };
  const byProvider = { kind: 'halted', madeNothing: true } as const;
  const byGateway = { kind: 'halted' } as const;

  it.each([
    ['fiat that the provider refused', 'fiat', byProvider],
    ['fiat that a gateway refused', 'fiat', byGateway],
    ['crypto that the provider refused', 'crypto', byProvider],
  ] as const)('submits again %s, once it is proven absent and the batch resumed', async (_name, rail, answer) => {
    const { scene, run } = await halted(rail, answer);
    await run.forSeconds(900);
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    expect(scene.posted).toHaveLength(1);
    await scene.resume();
    await run.goOn(await run.until('submit'));
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(scene.posted.slice(1)).toEqual([
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
    ]);
  });

  it('leaves crypto to a person that a gateway refused, maybe on the way back', async () => {
    const { scene, run } = await halted('crypto', byGateway);
    await run.forSeconds(900);
    expect(scene.statuses()).toEqual(['quarantined', 'quarantined', 'ready', 'ready']);
    await scene.resume();
    await run.goOn(await run.until('submit'));
    expect(scene.posted.slice(1)).toEqual([['ref-3', 'ref-4']]);
  });

  it('adopts the disbursements that it made', async () => {
    const { scene, run } = await halted('crypto', byGateway);
    for (const reference of ['ref-1', 'ref-2']) scene.listed.add(scene.disbursementOf(reference));
    await scene.resume();
    await run.forSeconds(300);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(scene.posted).toEqual([
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
    ]);
  });
});

describe('a running child', () => {
  it('records the outcome of its call itself', async () => {
    const scene = await createBatchScene();
    const run = createExecution(scene);
    const calls = async () => (await registeredChunk(scene.ledger, batchId, 1)).calls;
    scene.answers.push(async (references) => {
      // A webhook's function has counted the chunk meanwhile.
      await scene.ledger.refreshChunk(batchId, 1);
      scene.passSeconds(119);
      await run.sweep();
      expect(await calls()).toMatchObject([{ k: 1 }]);
      expect((await calls())[0]).not.toHaveProperty('outcome');
      return scene.accept(references);
    });
    await run.submit([1]);
    expect(await calls()).toMatchObject([{ outcome: { kind: 'accepted' } }]);
    expect(scene.listed.asked.lookUps).toEqual([]);
  });
});

describe('a child that died', () => {
  it('during its call leaves a record of it, so the call is found and resolved', async () => {
    const scene = await createBatchScene();
    const run = createExecution(scene);
    scene.answers.push((references) => {
      scene.accept(references);
      throw new Error('the function was ended');
    });
    await expect(run.submit([1])).rejects.toThrow('ended');
    await run.endRound();
    expect((await scene.record()).tallies).toEqual({ submitting: tally(4, '1002') });
    await run.forSeconds(300);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect((await registeredChunk(scene.ledger, batchId, 1)).calls).toMatchObject([
      { outcome: { kind: 'unknown', cause: 'interrupted' } },
    ]);
    expect(scene.posted).toHaveLength(1);
  });

  it('after its call, before it wrote its rows, is resolved by the call’s outcome', async () => {
    const { scene, run } = await afterFirst(() => timeout, { rows: 2 });
    for (const row of [1, 2]) await scene.arrange(row, { status: 'submitting' });
    scene.setOutcome({ kind: 'accepted' });
    for (const reference of ['ref-1', 'ref-2']) scene.listed.add(scene.disbursementOf(reference));
    await run.forSeconds(200);
    expect(scene.statuses()).toEqual(['pending', 'pending']);
    expect((await registeredChunk(scene.ledger, batchId, 1)).calls).toMatchObject([{ outcome: { kind: 'accepted' } }]);
  });
});

describe('a row for which the provider answers with an error and makes nothing', () => {
  it.each([1, 5, 8])('is alone after three rounds, and the others are paid, when it is row %i of 8', async (bad) => {
    const scene = await createBatchScene({ rows: 8 });
    const run = createExecution(scene);
    const answer = (references: readonly string[]): SubmitAnswer =>
      references.includes(`ref-${bad}`) ? { kind: 'unknown', cause: 'status_500' } : scene.accept(references);
    scene.answers.push(...Array.from({ length: 100 }, () => answer));
    await run.submitAll();
    await run.forSeconds(4 * 900);
    const others = scene.statuses().filter((_, index) => index + 1 !== bad);
    expect(others).toEqual(Array(7).fill('pending'));
    expect(scene.posted.at(-1)).toEqual([`ref-${bad}`]);
    expect(scene.listed.kept).toHaveLength(7);
  });
});

describe('an outage', () => {
  it('leaves few calls to make, though each half was sent alone during it', async () => {
    const scene = await createBatchScene({ rows: 8 });
    const run = createExecution(scene);
    let isOut = true;
    const answer = (references: readonly string[]): SubmitAnswer => (isOut ? timeout : scene.accept(references));
    scene.answers.push(...Array.from({ length: 1000 }, () => answer));
    await run.submitAll();
    await run.forSeconds(4 * 900);
    isOut = false;
    const posted = scene.posted.length;
    expect(scene.posted.at(-1)).toHaveLength(1);
    await run.forSeconds(1200);
    expect(scene.statuses()).toEqual(Array(8).fill('pending'));
    expect(scene.posted.length - posted).toBeLessThanOrEqual(5);
  });
});

describe.runIf(drawsAll)('many rows whose calls last until they time out', () => {
  it('take turns with the rows behind them in the file, which are paid', async () => {
    const scene = await createBatchScene({ rows: 50 });
    const run = createExecution(scene);
    const slow = new Set(Array.from({ length: 40 }, (_, index) => `ref-${index + 1}`));
    // Time for one such call in each run, which begins by reading the chunk file.
    let beganAt = 0;
    const { getChunk } = scene.dependencies.files;
    scene.dependencies.files.getChunk = async (...asked) => {
      beganAt = scene.clock();
      return getChunk(...asked);
    };
    scene.invocation.remainingMs = () => 60_000 + beganAt - scene.clock();
    const answer = (references: readonly string[]): SubmitAnswer => {
      if (!references.some((reference) => slow.has(reference))) return scene.accept(references);
      scene.passSeconds(25);
      return timeout;
    };
    scene.answers.push(...Array.from({ length: 1000 }, () => answer));
    await run.submitAll();
    await run.forSeconds(4 * 3600);
    expect(scene.statuses().slice(slow.size)).toEqual(Array(10).fill('pending'));
  });
});
