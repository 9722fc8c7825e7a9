import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * Limits of one request to AWS: for its connection, and from the start of an attempt to the first and to the last byte of
 * the answer.
 *
 * In the worst case, 3 attempts of 3.5 s, with waits of up to 1 and 2 s between them when AWS throttles: 13.5 s. An
 * endpoint's function has 28 s, which leaves time to report the failure.
 */
export const requestLimits = { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 };

/**
 * The SDK's `requestTimeout` only logs a warning unless `throwOnRequestTimeout` is set, and it ends when the answer
 * begins. Answers that stall after that are aborted here.
 */
const answeredWithin = ({ connectMs, firstByteMs, lastByteMs, attempts }: typeof requestLimits) => {
  const handler = new NodeHttpHandler({
    connectionTimeout: connectMs,
    requestTimeout: firstByteMs,
    throwOnRequestTimeout: true,
  });
  const send = handler.handle.bind(handler);
  const handle: typeof send = (request, options) =>
    send(request, { ...options, abortSignal: AbortSignal.timeout(lastByteMs) });
  return { maxAttempts: attempts, requestHandler: Object.assign(handler, { handle }) };
};

/** The clients for table, queues and secrets. Each request ends within its limits. */
export const awsClients = (limits = requestLimits) => ({
  table: new DynamoDBClient(answeredWithin(limits)),
  queues: new SQSClient(answeredWithin(limits)),
  secrets: new SecretsManagerClient(answeredWithin(limits)),
});
