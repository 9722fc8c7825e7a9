import { batchStatusesBeforeAnEnd, batchStatusesThat, batchStatusIs } from '../../domain/batch/batch-status.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, and, atLeast, oneOf, or } from '../table/expressions.ts';

/** The condition on a batch for reserving and converting money, or for claiming calls. */
export const batchThat = (may: 'mayReserve' | 'mayClaim'): Expression =>
  and(oneOf('status', batchStatusesThat(may)), absent('cancelRequestedAt'));

/** The condition on a batch for claiming a chunk's call. While the canary is open, only the canary's chunks pass. */
export const mayClaim = (chunk: number): Expression =>
  and(batchThat('mayClaim'), or(absent('claimUpTo'), atLeast('claimUpTo', chunk)));

const notDisbursing = batchStatusesBeforeAnEnd.filter((status) => !batchStatusIs(status, 'mayClaim'));

/** The condition that a batch is still being funded, as isBeingFunded judges it: incoming money is its own. */
export const beingFunded: Expression = and(
  oneOf('status', notDisbursing),
  or(absent('resumeTo'), oneOf('resumeTo', notDisbursing)),
  absent('cancelRequestedAt'),
);
