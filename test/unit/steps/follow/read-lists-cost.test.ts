import { describe, expect, it } from 'vitest';
import { countIn } from '../../../../functions/domain/batch/progress.ts';
import type { ListState } from '../../../../functions/domain/payout/follow-state.ts';
import { getExistingBatch } from '../../../../functions/steps/as-step.ts';
import { readLists } from '../../../../functions/steps/follow/read-lists.ts';
import { beginSweep } from '../../../../functions/steps/follow/sweep.ts';
import { planBatch } from '../../../bench/scale/planned-batch.ts';
import type { Payment } from '../../../bench/scale/scaling-service.ts';
import { ScalingService } from '../../../bench/scale/scaling-service.ts';
import { VirtualAws } from '../../../bench/scale/virtual-aws.ts';
import { Timeline } from '../../../simulation/world/timeline.ts';
import { chanceOf } from '../../../support/chance.ts';
import { day, hour, minute } from '../../../support/durations.ts';
import { drawsAll } from '../../../support/fast-loop.ts';
import { sweepStart } from './follow-scene.ts';

const startedAt = Date.parse('2031-01-01T08:00:00.000Z');

/** A method that counts how many of its calls are under way at once, at most. */
const counting = <Given extends readonly unknown[], Answer>(method: (...given: Given) => Promise<Answer>) => {
  let underWay = 0;
  let most = 0;
  const counted = async (...given: Given): Promise<Answer> => {
    underWay += 1;
    most = Math.max(most, underWay);
    return method(...given).finally(() => {
      underWay -= 1;
    });
  };
  return { counted, most: () => most };
};

/** Batches that are submitted and then followed, by the real steps on virtual time. */
const scene = (endsInMs: (payment: Payment) => number) => {
  const timeline = new Timeline(startedAt);
  const service = new ScalingService({
    timeline,
    limits: { post: 1000, read: 1000 },
    lifeOf: (payment) => [{ inMs: endsInMs(payment), word: 'completed' }],
    onChange: () => {},
  });
  const aws = new VirtualAws({
    timeline,
    chance: chanceOf(1),
    http: service.http,
    limits: { post: 0, read: 0 },
    onWrite: () => {},
    onLog: () => {},
  });
  /** Submits the first chunks, or all. Returns a function that submits the rest. */
  const submit = async (batchId: string, rows: number, first = rows): Promise<() => Promise<unknown>> => {
    const planned = planBatch(batchId, rows, timeline.now);
    aws.store(planned);
    const send = (chunks: typeof planned.chunks): Promise<unknown> =>
      Promise.all(chunks.map(({ chunk }) => aws.invoke('SubmitChunk', { batchId, chunk })));
    await timeline.wait(send(planned.chunks.slice(0, first)));
    return () => send(planned.chunks.slice(first));
  };
  /** One read of the lists of bank transfers. Returns the kept state, the reads, and the number of open payouts. */
  const look = async (batchId: string, known?: ListState, isSubmitting = false) => {
    const readsBefore = new Map(service.counts.reads);
    const unitsBefore = aws.usage.tableReadUnits;
    const looked = await timeline.wait(
      aws.run('Follow', async (environment, invocation) => {
        const records = await environment.ledger.listChunks(batchId);
        const stored = await getExistingBatch(environment.ledger, batchId);
        const batch = { ...stored, statusSince: new Date(startedAt).toISOString() };
        const kept = { batchId, version: 0, lists: known === undefined ? {} : { fiat: known } };
        const start = sweepStart({ batch, kept, isSubmitting });
        const sweep = beginSweep(environment.clock(), start, records, invocation);
        const moves = counting(environment.ledger.movePayout);
        const counts = counting(environment.ledger.refreshChunk);
        const ledger = { ...environment.ledger, movePayout: moves.counted, refreshChunk: counts.counted };
        const state = await readLists({ ...environment, ledger, sweep }, 'fiat');
        const fiat = [...sweep.records.values()].filter(({ rail }) => rail === 'fiat');
        return { state, open: countIn(fiat, 'pending'), mostMoves: moves.most(), mostCounts: counts.most() };
      }),
    );
    const reads = (what: string): number =>
      (service.counts.reads.get(`fiat ${what}`) ?? 0) - (readsBefore.get(`fiat ${what}`) ?? 0);
    return { ...looked, reads, units: aws.usage.tableReadUnits - unitsBefore };
  };
  return { timeline, submit, look };
};

const never = (): number => 30 * day;

describe.runIf(drawsAll)('a sweep’s reads of the lists', () => {
  it('exclude payments that the batch has just made itself', async () => {
    const { submit, look, timeline } = scene(({ reference }) => (reference.endsWith('2') ? minute : 30 * day));
    await submit('b-own', 1000);
    const first = await look('b-own');
    expect(first.reads('-updatedAt all')).toBe(0);
    expect(first.reads('-updatedAt completed')).toBe(1);
    await timeline.wait(timeline.sleep(2 * minute));
    const second = await look('b-own', first.state);
    expect(second.open).toBe(700);
    expect(second.reads('-updatedAt all')).toBe(0);
    const third = await look('b-own', second.state);
    expect(third.reads('-updatedAt all')).toBeGreaterThan(0);
    expect(third.reads('-updatedAt completed')).toBe(0);
  });

  it('cost the ledger almost nothing without changes', async () => {
    const { submit, look, timeline } = scene(({ reference }) => (reference.endsWith('2') ? minute : 30 * day));
    await submit('b-own', 500);
    await timeline.wait(timeline.sleep(10 * minute));
    const first = await look('b-own');
    await timeline.wait(timeline.sleep(10 * minute));
    const kept = { ...first.state, sweepsSince: 0 };
    expect((await look('b-own', kept)).units).toBeLessThan(20);
  });

  it('cost the ledger little although all payouts of the batch and as many of others changed', async () => {
    const { submit, look, timeline } = scene(() => minute);
    await submit('b-own', 500);
    await submit('b-others', 500);
    await timeline.wait(timeline.sleep(10 * minute));
    const { open, units } = await look('b-own');
    expect(open).toBe(0);
    // Without the writes of 400 ends: these are reads.
    expect(units).toBeLessThan(0.5 * 800);
  });

  it.each([
    { isSubmitting: true, mostMoves: 4, mostCounts: 2 },
    { isSubmitting: false, mostMoves: 16, mostCounts: 8 },
  ])(
    'are recorded a few at a time while children need the table: $isSubmitting',
    async ({ isSubmitting, mostMoves, mostCounts }) => {
      const { submit, look, timeline } = scene(() => minute);
      await submit('b-own', 2000);
      await timeline.wait(timeline.sleep(10 * minute));
      expect(await look('b-own', undefined, isSubmitting)).toMatchObject({ open: 0, mostMoves, mostCounts });
    },
  );

  it('do not become single lookups when others fill the lists', async () => {
    const { submit, look, timeline } = scene(never);
    await submit('b-own', 100);
    await submit('b-others', 3500);
    let state: ListState | undefined;
    let singly = 0;
    for (let sweep = 0; sweep < 10; sweep += 1) {
      const looked = await look('b-own', state);
      state = looked.state;
      singly += looked.reads('one');
      await timeline.wait(timeline.sleep(5000));
    }
    expect(singly).toBe(0);
    await timeline.wait(timeline.sleep(hour));
    // Once an hour each is confirmed, at any cost.
    expect((await look('b-own', state)).reads('one')).toBe(80);
  });

  it('do not become single lookups of payouts that end during the reading of open lists', async () => {
    const endsAt = startedAt + hour + minute;
    const { submit, look, timeline } = scene(({ reference }) =>
      reference.endsWith('2') ? endsAt - timeline.now : 30 * day,
    );
    await submit('b-own', 1400);
    const first = await look('b-own');
    // Some 12 pages take more than a second, so these end during the reading.
    await timeline.wait(timeline.sleep(endsAt - 500 - timeline.now));
    const looked = await look('b-own', first.state);
    expect(looked.reads('createdAt pending')).toBeGreaterThan(10);
    expect(looked.open).toBe(980);
    expect(looked.reads('one')).toBe(0);
  });

  it('do not become single lookups of payouts that end while the batch submits', async () => {
    const endsAt = startedAt + hour + minute;
    const { submit, look, timeline } = scene(({ reference }) =>
      reference.endsWith('2') ? endsAt - timeline.now : 30 * day,
    );
    const submitRest = await submit('b-own', 2100, 15);
    const first = await look('b-own');
    await timeline.wait(timeline.sleep(endsAt - 800 - timeline.now));
    const rest = submitRest();
    // Registered by then, but not posted yet.
    await timeline.wait(timeline.sleep(300));
    const looked = await look('b-own', first.state, true);
    await timeline.wait(rest);
    expect(looked.reads('createdAt pending')).toBeGreaterThan(10);
    expect(looked.reads('one')).toBe(0);
  });

  it('exclude open payouts while the batch submits', async () => {
    const { submit, look } = scene(never);
    await submit('b-own', 100);
    const first = await look('b-own', undefined, true);
    expect(first.reads('createdAt pending')).toBe(0);
    expect((await look('b-own', first.state)).reads('createdAt pending')).toBe(1);
  });
});
