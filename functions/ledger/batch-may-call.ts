import type { BatchStatus } from '../domain/batch.ts';
import type { Expression } from './expressions.ts';
import { absent, and, oneOf } from './expressions.ts';

/** The condition on the batch under which something that moves money may be claimed. */
export const batchMayCall = (whileStatus: readonly BatchStatus[]): Expression =>
  and(oneOf('status', whileStatus), absent('cancelRequestedAt'));
