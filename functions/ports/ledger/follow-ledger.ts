import type { FollowState } from '../../domain/payout/follow-state.ts';

/** State that a batch's sweeps leave for each other. */
export interface FollowLedger {
  /** Strongly consistent. Version 0 when nothing is stored yet. */
  readFollow(batchId: string): Promise<FollowState>;
  /** Conditional on the version as read. False when another sweep was faster: its state is as good. */
  writeFollow(state: FollowState): Promise<boolean>;
  /** Sets `endedRound`, which no sweep writes, unless a later round has ended. Repeated or late calls change nothing. */
  endRound(batchId: string, round: string): Promise<void>;
}
