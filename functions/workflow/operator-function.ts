import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { OperatorApiFailed } from '../domain/errors.ts';
import { once } from '../domain/once.ts';
import type { OperatorRefusal } from '../ports/operator-refusal.ts';

const response = once(() => z.object({ statusCode: z.int(), body: z.string() }));
const problem = once(() =>
  z.object({
    type: z.string(),
    title: z.string(),
    detail: z.string().exactOptional(),
    batchId: z.string().exactOptional(),
    errors: z.array(z.object({ where: z.string(), message: z.string() })).default([]),
  }),
);

/** What a function of the operator API is asked, and in whose name. */
export interface OperatorRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly by: string;
}

/** What it answers: the body of its answer, or the problem in its words. */
export type OperatorAnswer = { readonly kind: 'answered'; readonly said: unknown } | OperatorRefusal;

/** An event as API Gateway makes one of a POST by this caller. */
const eventOf = ({ path = {}, headers, body, by }: OperatorRequest) => ({
  pathParameters: path,
  queryStringParameters: null,
  headers: headers ?? null,
  body: body === undefined ? null : JSON.stringify(body),
  requestContext: { identity: { userArn: by } },
});

/** Where there is no other detail, what is wrong with the request is told. */
const refusalOf = (said: unknown): OperatorRefusal => {
  const { type, title, detail, batchId, errors } = problem().parse(said);
  const told = detail ?? errors.map(({ where, message }) => `${where}: ${message}`).join('; ');
  return {
    ...{ kind: 'refused', type, title },
    ...(told === '' ? {} : { detail: told }),
    ...(batchId === undefined ? {} : { batchId }),
  };
};

/**
 * Asks a function of the operator API without the gateway.
 *
 * @throws the SDK's errors, and OperatorApiFailed when the function failed
 */
export const askOperatorFunction = async (
  lambda: Pick<LambdaClient, 'send'>,
  functionName: string,
  request: OperatorRequest,
): Promise<OperatorAnswer> => {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(eventOf(request)) }),
  );
  if (FunctionError !== undefined) throw new OperatorApiFailed();
  const { statusCode, body } = response().parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
  const said: unknown = JSON.parse(body);
  return statusCode < 300 ? { kind: 'answered', said } : refusalOf(said);
};
