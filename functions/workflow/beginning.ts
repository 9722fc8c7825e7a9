import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { batchStatuses } from '../domain/batch/batch-status.ts';
import { once } from '../domain/once.ts';
import type { Beginning, Begun } from '../ports/beginning.ts';
import { askOperatorFunction } from './operator-function.ts';

const summary = once(() => z.object({ batchId: z.string(), status: z.enum(batchStatuses) }));

/** @param start name of the operator API's function for `POST /batches` */
export const createBeginning = (lambda: Pick<LambdaClient, 'send'>, start: string): Beginning => ({
  begin: async ({ idempotencyKey, ...body }, by): Promise<Begun> => {
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await askOperatorFunction(lambda, start, { headers, body, by });
    if (answer.kind === 'refused') return answer;
    const { batchId, status } = summary().parse(answer.body);
    return { kind: 'begun', batchId, batchStatus: status };
  },
});
