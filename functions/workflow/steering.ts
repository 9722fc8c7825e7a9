import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { once } from '../domain/once.ts';
import type { Steered, Steering } from '../ports/steering.ts';
import { askOperatorFunction } from './operator-function.ts';

const summary = once(() => z.object({ status: z.string() }));

/** @param functions names of the operator API's functions for `POST …/pause` and `…/cancel` */
export const createSteering = (
  lambda: Pick<LambdaClient, 'send'>,
  functions: Readonly<Record<Parameters<Steering['ask']>[0], string>>,
): Steering => ({
  ask: async (action, batchId, by): Promise<Steered> => {
    const answer = await askOperatorFunction(lambda, functions[action], { path: { batchId }, by });
    return answer.kind === 'refused' ? answer : { kind: 'done', batchStatus: summary().parse(answer.body).status };
  },
});
