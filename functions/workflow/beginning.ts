import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { batchStatuses } from '../domain/batch/batch-status.ts';
import { once } from '../domain/once.ts';
import type { Beginning, Begun } from '../ports/beginning.ts';
import { askOperatorFunction } from './operator-function.ts';

const summary = once(() => z.object({ batchId: z.string(), status: z.enum(batchStatuses) }));

/** @param start the function of the operator API that answers `POST /batches` */
export const createBeginning = (lambda: Pick<LambdaClient, 'send'>, start: string): Beginning => ({
  begin: async ({ idempotencyKey, ...body }, by): Promise<Begun> => {
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await askOperatorFunction(lambda, start, { headers, body, by });
    if (answer.kind === 'refused') return answer;
    const { batchId, status } = summary().parse(answer.said);
    return { kind: 'begun', batchId, batchStatus: status };
  },
});
