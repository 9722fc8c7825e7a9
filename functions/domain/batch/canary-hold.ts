import type { Batch } from './batch.ts';
import type { PlanSummary } from './plan.ts';

type Held = Pick<Batch, 'claimUpTo'>;

/** Whether calls of a chunk may be claimed, as the claim's own condition judges it: the canary's only, while it is open. */
export const mayClaimChunk = ({ claimUpTo }: Held, chunk: number): boolean =>
  claimUpTo === undefined || chunk <= claimUpTo;

/** Payouts that wait for the canary, by plan; 0 where there is none, or it has passed. */
export const heldByCanary = ({
  claimUpTo,
  canary = 0,
  plan,
}: Pick<Batch, 'claimUpTo' | 'canary'> & { readonly plan?: Pick<PlanSummary, 'validRows'> }): number =>
  claimUpTo === undefined ? 0 : Math.max(0, (plan?.validRows ?? 0) - canary);
