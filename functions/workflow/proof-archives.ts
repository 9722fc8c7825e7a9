import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { once } from '../domain/once.ts';
import type { ProofArchives } from '../ports/proof-archives.ts';
import { askOperatorFunction } from './operator-function.ts';

const archive = once(() =>
  z.object({
    name: z.string(),
    url: z.string(),
    expiresAt: z.string(),
    proofs: z.int(),
    altered: z.int().exactOptional(),
    cursor: z.string().exactOptional(),
  }),
);

/** @param functionName name of the operator API's function for `POST …/proofs` */
export const createProofArchives = (lambda: Pick<LambdaClient, 'send'>, functionName: string): ProofArchives => ({
  make: async ({ batchId, ...body }, by) => {
    const answer = await askOperatorFunction(lambda, functionName, { path: { batchId }, body, by });
    return answer.kind === 'refused' ? answer : { kind: 'made', ...archive().parse(answer.body) };
  },
});
