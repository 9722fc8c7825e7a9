import type { Batch } from './batch.ts';
import type { PlanSummary } from './plan.ts';

/**
 * True when calls of a chunk may be claimed, by the same rule as the claim's condition. While the canary is open, only its
 * chunks.
 */
export const mayClaimChunk = ({ claimUpTo }: Pick<Batch, 'claimUpTo'>, chunk: number): boolean =>
  claimUpTo === undefined || chunk <= claimUpTo;

/** Number of planned payouts that wait for the canary. 0 when there is none, or it has passed. */
export const heldByCanary = ({
  claimUpTo,
  canary = 0,
  plan,
}: Pick<Batch, 'claimUpTo' | 'canary'> & { readonly plan?: Pick<PlanSummary, 'validRows'> }): number =>
  claimUpTo === undefined ? 0 : Math.max(0, (plan?.validRows ?? 0) - canary);
