import * as z from 'zod';
import { once } from '../../domain/once.ts';
import type { FollowState, ListState } from '../../domain/payout/follow-state.ts';
import type { FollowLedger } from '../../ports/ledger/follow-ledger.ts';
import { absent, absentOrBelow, equals, or, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import { counter, rail } from '../table/schemas.ts';
import type { LedgerDependencies } from '../table/store.ts';
import { createStore } from '../table/store.ts';

const listState = once<z.ZodType<ListState>>(() =>
  z.object({
    marks: z.record(z.string(), z.string()),
    markedAt: z.string().exactOptional(),
    pagesSince: counter().exactOptional(),
    recent: z.record(z.string(), z.string()).exactOptional(),
    confirmedAt: z.string(),
    sweepsSince: counter(),
    isDistrusted: z.boolean(),
    isSubmitting: z.boolean().exactOptional(),
    manyUntil: z.string().exactOptional(),
    isLong: z.boolean().exactOptional(),
    slice: counter().exactOptional(),
  }),
);

const followState = once<z.ZodType<FollowState>>(() =>
  z.object({
    batchId: z.string(),
    // EndSubmit may write before any sweep does.
    version: counter().default(0),
    round: z.string().exactOptional(),
    roundSince: z.string().exactOptional(),
    endedRound: z.string().exactOptional(),
    leftRound: z.string().exactOptional(),
    left: counter().exactOptional(),
    idleRounds: counter().exactOptional(),
    submitAfter: z.string().exactOptional(),
    unanswered: counter().exactOptional(),
    sweptAt: z.string().exactOptional(),
    nextSweepAt: z.string().exactOptional(),
    lists: z.partialRecord(rail(), listState()).exactOptional(),
    openPrint: z.string().exactOptional(),
    interimOf: z.string().exactOptional(),
    interimAt: z.string().exactOptional(),
  }),
);

const readState = reading('follow', followState);

/** State that sweeps leave for each other, with the end of a submit round beside it. */
export const createFollow = (dependencies: LedgerDependencies): FollowLedger => {
  const store = createStore(dependencies);

  const readFollow: FollowLedger['readFollow'] = async (batchId) =>
    (await store.read(keys.follow(batchId), readState)) ?? { batchId, version: 0 };

  const writeFollow: FollowLedger['writeFollow'] = async ({ endedRound: _of, version, ...state }) => {
    const result = await store.update(
      keys.follow(state.batchId),
      setting({ submitAfter: null, ...state, version: version + 1 }),
      version === 0 ? or(absent('version'), equals('version', 0)) : equals('version', version),
    );
    return result.kind === 'written';
  };

  const endRound: FollowLedger['endRound'] = async (batchId, round) => {
    await store.update(
      keys.follow(batchId),
      setting({ batchId, endedRound: round }),
      absentOrBelow('endedRound', round),
    );
  };

  return { readFollow, writeFollow, endRound };
};
