import { batchStatusesThat } from '../domain/batch-status.ts';
import type { Expression } from './expressions.ts';
import { absent, and, oneOf } from './expressions.ts';

/** The condition on the batch under which money may be set aside and converted, or calls may be claimed. */
export const batchThat = (may: 'mayReserve' | 'mayClaim'): Expression =>
  and(oneOf('status', batchStatusesThat(may)), absent('cancelRequestedAt'));
