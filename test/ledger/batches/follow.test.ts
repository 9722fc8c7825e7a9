import { describe, expect, it } from 'vitest';
import type { FollowState, ListState } from '../../../functions/domain/payout/follow-state.ts';
import { batchIn, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger } = useLedger();

/** Every field, so that each one makes the round trip. */
const lists: { readonly fiat: Required<ListState> } = {
  fiat: {
    marks: { all: '2026-01-01T00:00:00.000Z' },
    markedAt: '2026-01-01T00:00:00.000Z',
    pagesSince: 12,
    recent: { all: '2026-01-01T00:00:01.000Z' },
    confirmedAt: '2026-01-01T00:00:00.000Z',
    sweepsSince: 2,
    isDistrusted: true,
    isSubmitting: true,
    manyUntil: '2026-01-01T00:01:00.000Z',
    isLong: true,
    slice: 3,
  },
};

/** Every field but `endedRound`, which EndSubmit writes. */
const whole = (batchId: string): Required<Omit<FollowState, 'endedRound'>> => ({
  batchId,
  version: 0,
  round: 'b-1#1',
  roundSince: 't',
  leftRound: 'b-1#1',
  left: 3,
  idleRounds: 2,
  submitAfter: 't',
  unanswered: 1,
  sweptAt: 't',
  nextSweepAt: 't',
  lists,
  cursors: { in_doubt: 4, crypto: 9 },
  unaskedChunks: [7, 8],
  fingerprint: '1:1',
  interimOf: '1:1',
  interimAt: 't',
});

describe('the state that sweeps share', () => {
  it('is empty at first, and then complete as written', async () => {
    const batchId = await batchIn(ledger, 'processing');
    expect(await ledger.readFollow(batchId)).toEqual({ batchId, version: 0 });
    expect(await ledger.writeFollow(whole(batchId))).toBe(true);
    expect(await ledger.readFollow(batchId)).toEqual({ ...whole(batchId), version: 1 });
  });

  it('is written by one of many concurrent sweeps, and by none with an old view', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(5, (index) => ledger.writeFollow({ batchId, version: 0, left: index }));
    expect(answers.filter((written) => written)).toHaveLength(1);
    expect(await ledger.readFollow(batchId)).toEqual({ batchId, version: 1, left: answers.indexOf(true) });
    expect(await ledger.writeFollow({ batchId, version: 0 })).toBe(false);
    expect(await ledger.writeFollow({ batchId, version: 1, left: 9 })).toBe(true);
  });

  it('stops waiting to submit once a sweep omits that', async () => {
    const batchId = await batchIn(ledger, 'processing');
    await ledger.writeFollow(whole(batchId));
    const { submitAfter: _, ...rest } = await ledger.readFollow(batchId);
    await ledger.writeFollow(rest);
    expect(await ledger.readFollow(batchId)).not.toHaveProperty('submitAfter');
  });

  it('keeps the end of a round, which sweeps do not write', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const read = await ledger.readFollow(batchId);
    await times(3, () => ledger.endRound(batchId, `${batchId}#1`));
    await ledger.writeFollow({ ...read, endedRound: 'another', left: 1 });
    expect(await ledger.readFollow(batchId)).toEqual({ batchId, version: 1, left: 1, endedRound: `${batchId}#1` });
    await ledger.endRound(batchId, `${batchId}#2`);
    expect((await ledger.readFollow(batchId)).endedRound).toBe(`${batchId}#2`);
  });
});
