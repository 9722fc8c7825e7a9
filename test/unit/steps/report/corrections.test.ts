import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import type { NewBatch } from '../../../../functions/ports/ledger/batch-ledger.ts';
import { createScene, toId } from '../plan/debts-scene.ts';

const { reject, cancel } = batchTransitions;
const good = toId('', '50000', 'a');
const bad = toId('', '0', 'b');
/** A file of this many rows that repeat no debt of another file. */
let made = 0;
const rows = (count: number) => Array.from({ length: count }, () => toId('', '60000', `c${++made}`)).join('');

const createFamily = async (skipped: number, invalidRows: NewBatch['invalidRows'] = 'skip') => {
  const scene = createScene();
  const { batchId: parent } = await scene.run(good + bad.repeat(skipped), { invalidRows });
  const outcome = async (batchId: string) => {
    const batch = await scene.ledger.getBatch(batchId);
    return { batchId, reason: batch?.reason, plan: batch?.plan, corrects: batch?.correctedBy };
  };
  return {
    ...scene,
    parent,
    outcome,
    correct: async (file: string, changes: Partial<NewBatch> = {}) =>
      outcome((await scene.run(file, { corrects: parent, ...changes })).batchId),
    reject: async (batchId: string) => {
      await scene.ledger.moveBatch(batchId, batchTransitions.askApproval, 'system');
      await scene.ledger.moveBatch(batchId, reject, 'arn:person');
    },
  };
};
const more = { reason: { code: 'more_than_skipped' } };

describe('all corrections of a batch', () => {
  it('pay no more rows than were skipped', async () => {
    const { correct } = await createFamily(3);
    const first = await correct(rows(2));
    expect(first.reason).toBeUndefined();
    const second = await correct(rows(2));
    expect(second).toMatchObject(more);
    expect(second.reason?.message).toContain(`plan 2 of them: ${first.batchId}. Nothing was paid.`);
    expect((await correct(rows(1))).reason).toBeUndefined();
    expect(await correct(rows(1))).toMatchObject(more);
  });

  it.each([2, 5])('pay no more when %i are planned concurrently', async (count) => {
    const { start, plan, parent, outcome } = await createFamily(1);
    const batchIds = await Promise.all(Array.from({ length: count }, () => start(rows(1), { corrects: parent })));
    await Promise.all(batchIds.map(plan));
    const outcomes = await Promise.all(batchIds.map(outcome));
    expect(outcomes.filter(({ plan }) => plan?.manifestKey !== undefined)).toHaveLength(1);
    expect(outcomes.filter(({ reason }) => reason?.code === 'more_than_skipped')).toHaveLength(count - 1);
  });

  it('count one once, even when its planning runs twice concurrently', async () => {
    const { start, plan, parent, correct } = await createFamily(2);
    const batchId = await start(rows(1), { corrects: parent });
    const plans = await Promise.all([plan(batchId), plan(batchId)]);
    expect(plans.map((planned) => planned?.validRows)).toEqual([1, 1]);
    expect((await correct(rows(1))).reason).toBeUndefined();
    expect(await correct(rows(1))).toMatchObject(more);
  });

  it.each(['preview', 'refused', 'rejected', 'canceled before it paid'])('do not count one that is %s', async (how) => {
    const scene = await createFamily(1);
    const mode = how === 'preview' ? 'preview' : 'disburse';
    const { batchId } = await scene.correct(how === 'refused' ? bad : rows(1), { mode });
    if (how === 'rejected') await scene.reject(batchId);
    if (how.startsWith('canceled')) await scene.ledger.moveBatch(batchId, cancel, 'arn:person');
    expect((await scene.correct(rows(1))).reason).toBeUndefined();
    expect(await scene.correct(rows(1))).toMatchObject(more);
  });

  it('count one that was canceled while it paid', async () => {
    const { correct, ledger } = await createFamily(1);
    const { batchId } = await correct(rows(1));
    await ledger.moveBatch(batchId, cancel, 'arn:person', {
      report: { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-11-21T08:00:00.000Z' },
    });
    const refused = await correct(rows(1));
    expect(refused).toMatchObject(more);
    expect(refused.reason?.message).toContain(`Canceled while paying: ${batchId}. Leave out who was paid there`);
  });

  it('count a correction of a refused correction', async () => {
    const { correct, run, parent, outcome } = await createFamily(2);
    const refused = await correct(rows(1) + bad);
    const corrects = refused.batchId;
    expect(await outcome((await run(rows(3), { corrects })).batchId)).toMatchObject(more);
    const corrected = await run(rows(2), { corrects });
    expect((await outcome(corrected.batchId)).reason).toBeUndefined();
    expect((await outcome(parent)).corrects).toEqual(new Set([corrected.batchId]));
    expect(await correct(rows(1))).toMatchObject(more);
  });

  it('count a correction’s skipped rows when corrected, even after its rejection', async () => {
    const { correct, run, reject, outcome } = await createFamily(3);
    const first = await correct(rows(1) + bad.repeat(2), { invalidRows: 'skip' });
    const second = await run(rows(2), { corrects: first.batchId });
    expect((await outcome(second.batchId)).reason).toBeUndefined();
    expect(await correct(rows(1))).toMatchObject(more);
    await reject(first.batchId);
    expect(await correct(rows(2))).toMatchObject(more);
    expect((await correct(rows(1))).reason).toBeUndefined();
  });
});

describe('the corrections of a batch with skipped rows that pays nobody', () => {
  const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-11-21T08:00:00.000Z' };
  const ends = {
    'is a preview': { mode: 'preview', status: 'previewed' },
    'was not released': { status: 'validation_failed', reason: { code: 'not_released', message: 'Nobody may.' } },
    'was canceled before it paid': { status: 'canceled' },
  } as const;
  const mayPay = {
    'is planned': { status: 'validating' },
    'waits for its start': { status: 'scheduled' },
    'waits for approval': { status: 'pending_approval' },
    'is paused before it paid': { status: 'paused', resumeTo: 'validating' },
    'is paused and being canceled': { status: 'paused', cancelRequestedAt: '2026-11-21T08:00:00.000Z' },
    pays: { status: 'processing' },
    'was canceled while it paid': { status: 'canceled', report },
    'has paid nobody, but has tried': { status: 'failed', report },
    'has paid': { status: 'partially_completed', report },
  } as const;
  const familyOf = async (changes: Partial<Batch>) => {
    const family = await createFamily(2);
    const batch = await family.ledger.getBatch(family.parent);
    if (batch === undefined) throw new Error('There is a parent');
    family.ledger.putBatch({ ...batch, ...changes });
    return family;
  };

  it.each(Object.entries(ends))('may have all its rows when it %s', async (_, changes) => {
    const { correct } = await familyOf(changes);
    expect((await correct(rows(3))).reason).toBeUndefined();
  });

  it.each(Object.entries(mayPay))('may only have the skipped rows when it %s', async (_, changes) => {
    const { correct } = await familyOf(changes);
    expect(await correct(rows(3))).toMatchObject(more);
    expect((await correct(rows(2))).reason).toBeUndefined();
  });

  it.each(Object.entries(ends))('need a person’s release once another may pay, when it %s', async (_, changes) => {
    const { correct } = await familyOf(changes);
    const first = await correct(rows(3));
    expect(first.plan).not.toHaveProperty('alsoCorrectedBy');
    expect((await correct(rows(1))).plan?.alsoCorrectedBy).toEqual([first.batchId]);
  });

  it('still count for the paying batch that it corrects itself', async () => {
    const { ledger, correct, run, outcome } = await createFamily(3);
    const canceled = await correct(rows(1) + bad, { invalidRows: 'skip' });
    await ledger.moveBatch(canceled.batchId, cancel, 'arn:person');
    const corrects = canceled.batchId;
    expect(await outcome((await run(rows(4), { corrects })).batchId)).toMatchObject(more);
    expect((await outcome((await run(rows(3), { corrects })).batchId)).reason).toBeUndefined();
    expect(await correct(rows(1))).toMatchObject(more);
  });
});

describe('the corrections of a refused batch', () => {
  it('need a person’s release once another may pay', async () => {
    const { correct, reject } = await createFamily(2, 'reject');
    await correct(bad);
    const first = await correct(rows(3));
    expect(first.reason).toBeUndefined();
    expect(first.plan).not.toHaveProperty('alsoCorrectedBy');
    const second = await correct(rows(3));
    expect(second.plan?.alsoCorrectedBy).toEqual([first.batchId]);
    for (const { batchId } of [first, second]) await reject(batchId);
    expect((await correct(rows(3))).plan).not.toHaveProperty('alsoCorrectedBy');
  });

  it('name each other when they are planned concurrently', async () => {
    const { start, plan, parent } = await createFamily(2, 'reject');
    const batchIds = await Promise.all([1, 2, 3].map(() => start(rows(3), { corrects: parent })));
    const plans = await Promise.all(batchIds.map(plan));
    expect(plans.map((planned) => planned?.alsoCorrectedBy?.length ?? 0).sort()).toEqual([0, 1, 2]);
  });

  it('are also found through a refused correction', async () => {
    const { correct, run, outcome } = await createFamily(2, 'reject');
    const refused = await correct(bad);
    const first = await run(rows(3), { corrects: refused.batchId });
    expect((await correct(rows(3))).plan?.alsoCorrectedBy).toEqual([first.batchId]);
    expect((await outcome(first.batchId)).plan).not.toHaveProperty('alsoCorrectedBy');
  });

  it('are bounded', async () => {
    const { ledger, correct, parent } = await createFamily(2, 'reject');
    const batch = await ledger.getBatch(parent);
    if (batch === undefined) throw new Error('There is a parent');
    const others = Array.from({ length: 99 }, () => 'x').map((x, index) => `${x}${index}`);
    for (const batchId of others) ledger.putBatch({ ...batch, batchId });
    ledger.putBatch({ ...batch, correctedBy: new Set(others) });
    expect((await correct(rows(1))).reason).toBeUndefined();
    expect(await correct(rows(1))).toMatchObject({ reason: { code: 'too_many_corrections' } });
  });

  it('are bounded in sequence', async () => {
    const { ledger, correct, run, outcome, parent } = await createFamily(2, 'reject');
    const batch = await ledger.getBatch(parent);
    if (batch === undefined) throw new Error('There is a parent');
    for (let index = 2; index <= 50; index += 1)
      ledger.putBatch({ ...batch, batchId: `x${index}`, corrects: index === 2 ? parent : `x${index - 1}` });
    const last = await correct(rows(1), { corrects: 'x50' });
    expect(last.reason).toBeUndefined();
    ledger.putBatch({ ...batch, batchId: 'x51', corrects: 'x50' });
    const { batchId } = await run(rows(1), { corrects: 'x51' });
    expect(await outcome(batchId)).toMatchObject({ reason: { code: 'too_many_corrections' } });
  });
});
