import { describe, expect, it } from 'vitest';
import type { SweepPart } from '../../../../functions/domain/payout/follow-state.ts';
import { addUpTouched, beginSweep, eachPart } from '../../../../functions/steps/follow/sweep.ts';
import { Timeline } from '../../../simulation/world/timeline.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { sweepStart } from './follow-scene.ts';

/** Has each part work for its minutes, of 12 in all. Returns how many minutes each one was given. */
const minutesGiven = async (parts: readonly (readonly [SweepPart, minutes: number])[]) => {
  // A minute more is kept for the end of the invocation.
  let left = 13;
  const sweep = beginSweep(0, sweepStart(), [], { remainingMs: () => left * 60_000 });
  const given: [SweepPart, number][] = [];
  await eachPart(
    { sweep },
    parts.map(([name, minutes]) => ({
      name,
      chunks: () => (minutes > 0 ? [exampleChunk('b-1')] : []),
      work: async () => {
        given.push([sweep.part, sweep.remainingMs() / 60_000]);
        left -= minutes;
      },
    })),
  );
  return { given, leftForProofs: sweep.remainingMs() / 60_000 };
};

describe('the time of a sweep', () => {
  it('is shared equally by the parts that are due', async () => {
    const { given } = await minutesGiven([
      ['quarantined', 3],
      ['in_doubt', 0],
      ['fiat', 3],
      ['crypto', 3],
      ['overdue', 3],
    ]);
    expect(given).toEqual([
      ['quarantined', 3],
      ['fiat', 3],
      ['crypto', 3],
      ['overdue', 3],
    ]);
  });

  it('is left to the others by a part that needs less', async () => {
    const { given, leftForProofs } = await minutesGiven([
      ['in_doubt', 2],
      ['fiat', 6],
    ]);
    expect(given).toEqual([
      ['in_doubt', 6],
      ['fiat', 10],
    ]);
    expect(leftForProofs).toBe(4);
  });

  it.each([
    ['with time left', 60],
    ['with time that ends meanwhile', 30],
    ['with no time left', 0],
  ])('suffices for the counts of a file of a million rows, while children submit, %s', async (_, seconds) => {
    const timeline = new Timeline(0);
    const endsAt = seconds * 1000 + 60_000;
    const sweep = beginSweep(0, sweepStart({ isSubmitting: true }), [], { remainingMs: () => endsAt - timeline.now });
    for (let chunk = 1; chunk <= 10_205; chunk += 1) sweep.touched.add(chunk);
    const refreshed = new Set<number>();
    const refreshChunk = async (_batchId: string, chunk: number) => {
      await timeline.sleep(20);
      refreshed.add(chunk);
      return undefined;
    };
    await timeline.wait(timeline.sleep(0).then(() => addUpTouched({ ledger: { refreshChunk }, sweep })));
    expect(refreshed.size).toBe(10_205);
    expect(endsAt - timeline.now).toBeGreaterThan(20_000);
  });
});
