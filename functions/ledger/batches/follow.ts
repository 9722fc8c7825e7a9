import { storedFollowState } from '../../domain/payout/follow-state.ts';
import type { FollowLedger } from '../../ports/ledger/follow-ledger.ts';
import { absent, absentOrBelow, equals, or, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { LedgerDependencies } from '../table/store.ts';
import { createStore } from '../table/store.ts';

const readState = reading('follow', storedFollowState);

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
