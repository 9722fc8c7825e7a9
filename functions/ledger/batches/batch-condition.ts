import { batchStatusesBeforeAnEnd, batchStatusesThat, batchStatusIs } from '../../domain/batch/batch-status.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, and, atLeast, oneOf, or } from '../table/expressions.ts';

/** The condition on the batch under which money may be set aside and converted, or calls may be claimed. */
export const batchThat = (may: 'mayReserve' | 'mayClaim'): Expression =>
  and(oneOf('status', batchStatusesThat(may)), absent('cancelRequestedAt'));

/** The condition on the batch under which a call of a chunk may be claimed: while its canary is open, of the canary only. */
export const mayClaim = (chunk: number): Expression =>
  and(batchThat('mayClaim'), or(absent('claimUpTo'), atLeast('claimUpTo', chunk)));

const notDisbursing = batchStatusesBeforeAnEnd.filter((status) => !batchStatusIs(status, 'mayClaim'));

/** The condition that the batch is being funded still, as isBeingFunded judges it: money that comes is its own. */
export const beingFunded: Expression = and(
  oneOf('status', notDisbursing),
  or(absent('resumeTo'), oneOf('resumeTo', notDisbursing)),
  absent('cancelRequestedAt'),
);
