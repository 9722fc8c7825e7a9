import { describe, expect, it } from 'vitest';
import { countWaits } from '../../../../functions/steps/funding/count-waits.ts';

const answer = (next: string, waits: number) => {
  const step = countWaits(async () => ({ batchId: 'b-1', next, waitSeconds: 5 }));
  return step({ batchId: 'b-1', waits }, { remainingMs: () => 30_000 });
};

describe('a step that makes its batch wait', () => {
  it.each(['wait', 'await'])('counts answers "%s", and hands over after eighty', async (next) => {
    expect(await answer(next, 79)).toMatchObject({ next, waits: 80 });
    expect(await answer(next, 80)).toEqual({ batchId: 'b-1', next: 'hand_over' });
  });

  it('learns how often its batch has waited', async () => {
    const learned: number[] = [];
    const step = countWaits(async ({ batchId, waits }) => {
      learned.push(waits);
      return { batchId, next: 'fund' };
    });
    await step({ batchId: 'b-1', waits: 7 }, { remainingMs: () => 30_000 });
    expect(learned).toEqual([7]);
  });

  it('keeps the count when it continues, however large', async () => {
    expect(await answer('convert', 80)).toMatchObject({ next: 'convert', waits: 80 });
  });
});
