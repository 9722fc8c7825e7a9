import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { OperatorApiFailed } from '../domain/errors.ts';
import type { Steered, Steering } from '../ports/steering.ts';

const response = z.object({ statusCode: z.int(), body: z.string() });
const summary = z.object({ status: z.string() });
const problem = z.object({ title: z.string(), detail: z.string().exactOptional() });

/** An event as API Gateway makes one of a POST without a body, by this caller. */
const requestBy = (by: string, batchId: string) => ({
  pathParameters: { batchId },
  queryStringParameters: null,
  headers: null,
  body: null,
  requestContext: { identity: { userArn: by } },
});

/** @param functions the functions of the operator API that answer `POST …/pause` and `…/cancel` */
export const createSteering = (
  lambda: Pick<LambdaClient, 'send'>,
  functions: Readonly<Record<Parameters<Steering['ask']>[0], string>>,
): Steering => ({
  ask: async (action, batchId, by): Promise<Steered> => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: functions[action], Payload: JSON.stringify(requestBy(by, batchId)) }),
    );
    if (FunctionError !== undefined) throw new OperatorApiFailed();
    const { statusCode, body } = response.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
    const said: unknown = JSON.parse(body);
    if (statusCode < 300) return { kind: 'done', batchStatus: summary.parse(said).status };
    return { kind: 'refused', ...problem.parse(said) };
  },
});
