import type { FollowState } from '../domain/follow-state.ts';

/** What a batch's sweeps leave for each other. */
export interface FollowLedger {
  /** Strongly consistent; version 0 where nothing is kept yet. */
  readFollow(batchId: string): Promise<FollowState>;
  /** Conditional on the version as read. False when another sweep was quicker: its state is as good. */
  writeFollow(state: FollowState): Promise<boolean>;
  /** Sets `endedRound`, which no sweep writes, unless a later round has ended. Saying it twice, or late, changes nothing. */
  endRound(batchId: string, round: string): Promise<void>;
}
