import type { ChunkNext, Permission } from '../domain/chunk-progress.ts';
import { decideChunkNext, isFollowedOut } from '../domain/chunk-progress.ts';
import { pollWaitSeconds, resolveWaitSeconds } from '../domain/polling.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock, Log, Random } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { giveUpFollowing } from './give-up-following.ts';
import type { ChunkInput } from './step.ts';

export interface FinishDependencies {
  readonly ledger: Pick<PayoutLedger, 'refreshChunk' | 'movePayout'>;
  readonly settings: OrchestratorSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface ChunkOutput extends ChunkInput {
  readonly next: ChunkNext | 'archive_later';
  readonly waitSeconds: number;
}

/**
 * Ends a step of a chunk: adds its payouts up again, and decides from the ledger, not from what the step believes it
 * did, what comes next and how long to wait before it.
 */
export const finishChunkStep = async (
  dependencies: FinishDependencies,
  input: ChunkInput,
  permission: Permission,
): Promise<ChunkOutput> => {
  const { ledger, settings, clock, random } = dependencies;
  const { batchId, chunk } = input;
  let { payouts } = await ledger.refreshChunk(batchId, chunk);
  const nowMs = clock();
  const followedOut = payouts.filter((payout) => isFollowedOut(payout, nowMs, settings));
  if (followedOut.length > 0) {
    await giveUpFollowing(dependencies, followedOut);
    ({ payouts } = await ledger.refreshChunk(batchId, chunk));
  }
  const next = decideChunkNext({ payouts, permission, nowMs, settings, polls: input.polls });
  return { ...input, next, waitSeconds: waitBefore(next, input, permission, settings, random) };
};

const waitBefore = (
  next: ChunkNext,
  input: ChunkInput,
  permission: Permission,
  settings: OrchestratorSettings,
  random: Random,
): number => {
  switch (next) {
    case 'submit':
      if (input.delays === 0) return 1;
      // Each look is nine events of a history that holds 25,000: the longer a batch is paused, the rarer they are.
      return Math.max(
        permission === 'paused' ? settings.pausedRecheckSeconds : 0,
        pollWaitSeconds(input.delays, settings, random),
      );
    case 'resolve':
      return resolveWaitSeconds(input.lookups, settings, random);
    case 'poll':
      return pollWaitSeconds(input.polls, settings, random);
    case 'archive':
    case 'done':
      return 0;
  }
};
