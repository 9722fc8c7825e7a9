import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { OperatorApiFailed } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
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

/** A request to a function of the operator API. `by` is the ARN of the caller on whose behalf it is made. */
interface OperatorRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly by: string;
}

/** The body of a successful answer, or the problem that the API returned. */
type OperatorAnswer = { readonly kind: 'answered'; readonly body: unknown } | OperatorRefusal;

/** The event that API Gateway would make of a POST by this caller. */
const eventOf = ({ path = {}, headers, body, by }: OperatorRequest) => ({
  pathParameters: path,
  queryStringParameters: null,
  headers: headers ?? null,
  body: body === undefined ? null : JSON.stringify(body),
  requestContext: { identity: { userArn: by } },
});

/** Lists the errors of the request as the detail when the problem has none of its own. */
const refusalOf = (body: unknown): OperatorRefusal => {
  const { type, title, detail, batchId, errors } = problem().parse(body);
  const text = detail ?? errors.map(({ where, message }) => `${where}: ${message}`).join('; ');
  return {
    ...{ kind: 'refused', type, title },
    ...(text === '' ? {} : { detail: text }),
    ...given({ batchId }),
  };
};

/**
 * Invokes a function of the operator API without the gateway.
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
  const answer = response().parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
  const body: unknown = JSON.parse(answer.body);
  return answer.statusCode < 300 ? { kind: 'answered', body } : refusalOf(body);
};
