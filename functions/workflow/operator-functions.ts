import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { batchStatuses } from '../domain/batch/batch-status.ts';
import { OperatorApiFailed } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import { once } from '../domain/once.ts';
import type { Begin, OperatorRefusal, Steer, ZipProofs } from '../ports/operator-functions.ts';

type Lambda = Pick<LambdaClient, 'send'>;

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

/** Lists the errors of the request as the detail when the problem has none of its own. */
const refusalOf = (body: unknown): OperatorRefusal => {
  const { type, title, detail, batchId, errors } = problem().parse(body);
  const text = detail ?? errors.map(({ where, message }) => `${where}: ${message}`).join('; ');
  return { kind: 'refused', type, title, ...given({ detail: text || undefined, batchId }) };
};

/**
 * Invokes a function of the operator API without the gateway. Returns the body of a successful answer, or the problem that the
 * API returned.
 *
 * @throws the SDK's errors, and OperatorApiFailed when the function failed
 */
const askOperatorFunction = async (
  lambda: Lambda,
  functionName: string,
  { path = {}, headers, body, by }: OperatorRequest,
): Promise<{ readonly kind: 'answered'; readonly body: unknown } | OperatorRefusal> => {
  // The event that API Gateway would make of a POST by this caller.
  const event = JSON.stringify({
    pathParameters: path,
    queryStringParameters: null,
    headers: headers ?? null,
    body: body === undefined ? null : JSON.stringify(body),
    requestContext: { identity: { userArn: by } },
  });
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: event }),
  );
  if (FunctionError !== undefined) throw new OperatorApiFailed();
  const answer = response().parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
  const answered: unknown = JSON.parse(answer.body);
  return answer.statusCode < 300 ? { kind: 'answered', body: answered } : refusalOf(answered);
};

const begun = once(() => z.object({ batchId: z.string(), status: z.enum(batchStatuses) }));

/** @param start name of the operator API's function for `POST /batches` */
export const createBegin =
  (lambda: Lambda, start: string): Begin =>
  async ({ idempotencyKey, ...body }, by) => {
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await askOperatorFunction(lambda, start, { headers, body, by });
    if (answer.kind === 'refused') return answer;
    const { batchId, status } = begun().parse(answer.body);
    return { kind: 'begun', batchId, batchStatus: status };
  };

const steered = once(() => z.object({ status: z.string() }));

/** @param functions names of the operator API's functions for `POST …/pause` and `…/cancel` */
export const createSteer =
  (lambda: Lambda, functions: Readonly<Record<Parameters<Steer>[0], string>>): Steer =>
  async (action, batchId, by) => {
    const answer = await askOperatorFunction(lambda, functions[action], { path: { batchId }, by });
    return answer.kind === 'refused' ? answer : { kind: 'done', batchStatus: steered().parse(answer.body).status };
  };

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
export const createZipProofs =
  (lambda: Lambda, functionName: string): ZipProofs =>
  async ({ batchId, ...body }, by) => {
    const answer = await askOperatorFunction(lambda, functionName, { path: { batchId }, body, by });
    return answer.kind === 'refused' ? answer : { kind: 'made', ...archive().parse(answer.body) };
  };
