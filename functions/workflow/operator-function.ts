import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { OperatorApiFailed } from '../domain/errors.ts';

const response = z.object({ statusCode: z.int(), body: z.string() });
const problem = z.object({ title: z.string(), detail: z.string().exactOptional() });

/** What a function of the operator API is asked, and in whose name. */
export interface OperatorRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly by: string;
}

/** What it answers: the body of its answer, or the problem in its words. */
export type OperatorAnswer =
  | { readonly kind: 'answered'; readonly said: unknown }
  | { readonly kind: 'refused'; readonly title: string; readonly detail?: string };

/** An event as API Gateway makes one of a POST by this caller. */
const eventOf = ({ path, body, by }: OperatorRequest) => ({
  pathParameters: path,
  queryStringParameters: null,
  headers: null,
  body: body === undefined ? null : JSON.stringify(body),
  requestContext: { identity: { userArn: by } },
});

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
  const { statusCode, body } = response.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
  const said: unknown = JSON.parse(body);
  return statusCode < 300 ? { kind: 'answered', said } : { kind: 'refused', ...problem.parse(said) };
};
