import { storedFollowState } from '../../domain/payout/follow-state.ts';
import type { FollowLedger } from '../../ports/ledger/follow-ledger.ts';
import { absent, absentOrBelow, equals, or, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { PartDependencies } from '../table/store.ts';

const readState = reading('follow', storedFollowState);

/** State that sweeps leave for each other, with the end of a submit round beside it. */
export const createFollow = ({ store }: PartDependencies): FollowLedger => ({
  readFollow: async (batchId) => (await store.read(keys.follow(batchId), readState)) ?? { batchId, version: 0 },

  writeFollow: async ({ endedRound: _of, version, ...state }) => {
    const changes = setting({ submitAfter: null, ...state, version: version + 1 });
    const condition = version === 0 ? or(absent('version'), equals('version', 0)) : equals('version', version);
    const result = await store.update(keys.follow(state.batchId), changes, condition);
    return result.kind === 'written';
  },

  endRound: async (batchId, round) => {
    await store.update(
      keys.follow(batchId),
      setting({ batchId, endedRound: round }),
      absentOrBelow('endedRound', round),
    );
  },
});
