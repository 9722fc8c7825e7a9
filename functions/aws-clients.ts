import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Time limits of a request whose response is small and read whole. */
export interface WholeAnswer {
  readonly connectMs: number;
  /** Milliseconds from the attempt's start to the first byte of its response. */
  readonly firstByteMs: number;
  /**
   * Milliseconds from the attempt's start to the last byte. Longer than `firstByteMs` where a request is retried: the SDK
   * does not repeat an attempt that is aborted before its response begins.
   */
  readonly lastByteMs: number;
  readonly attempts: number;
}

/** Time limits of a request whose body may be large. It may take any time as long as bytes move. */
export interface MovingBody {
  readonly connectMs: number;
  /** Milliseconds without a byte in either direction. From 6,000 on, the SDK ends a request up to 3,000 later. */
  readonly silenceMs: number;
  readonly attempts: number;
}

/**
 * The time limits of requests to AWS. The worst case is the sum of all attempts and of the SDK's wait before each retry. That
 * wait is at most 1, 2, 4 s and so on when AWS throttles, and shorter for any other error.
 *
 * | client | each attempt | worst case | must stay below |
 * |---|---|---|---|
 * | ledger, queues | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 15 s: SubmitChunk's margins for a claim, and for recording an answer |
 * | events, notices | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 30 s: the time publish-overdue keeps for one batch; NotifyPeople's 60 s |
 * | secrets | 2 s | 2 × 2 + 1 = 5 s | 15 s: shares SubmitChunk's margin for recording an answer. An answer that does not fit in what is left stays unrecorded, and Follow looks the call up |
 * | workflow | 2.5 s | 5 × 2.5 + 1 + 2 + 4 + 8 = 27.5 s | 28 s: the operator API's functions |
 * | scheduler | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 60 s: AwaitStart's function |
 * | files | 5 s of silence | 3 × (1 + 5 + 5) + 1 + 2 = 36 s | the silence of an upload, which nobody reads while chunks are written |
 * | functions | 29 s | 29 s: no retry, since it waits for a function of the operator API | 30 s: the console's functions |
 * | uploads | 60 s of silence | unbounded while bytes move | 900 s: PlanBatch's function |
 *
 * A client opens at most 50 connections, and waiting for one counts toward these limits. So a function sends fewer requests
 * concurrently.
 */
export const awsLimits = {
  ledger: { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 },
  queues: { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 },
  events: { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 },
  notices: { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 },
  secrets: { connectMs: 1000, firstByteMs: 1500, lastByteMs: 2000, attempts: 2 },
  workflow: { connectMs: 1000, firstByteMs: 2000, lastByteMs: 2500, attempts: 5 },
  functions: { connectMs: 1000, firstByteMs: 29_000, lastByteMs: 29_000, attempts: 1 },
  scheduler: { connectMs: 1000, firstByteMs: 3000, lastByteMs: 3500, attempts: 3 },
  files: { connectMs: 1000, silenceMs: 5000, attempts: 3 },
  uploads: { connectMs: 1000, silenceMs: 60_000, attempts: 3 },
} as const satisfies Record<string, WholeAnswer | MovingBody>;

/**
 * Options of a client whose responses are read whole. The SDK's `requestTimeout` only logs a warning unless
 * `throwOnRequestTimeout` is set, and it ends when a response begins. A response that stalls later is aborted here. The SDK
 * treats that as a connection reset and retries.
 */
const answeredWithin = ({ connectMs, firstByteMs, lastByteMs, attempts }: WholeAnswer) => {
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

/** Options of a client that aborts a request when no byte has moved for a while. */
const movingWithin = ({ connectMs, silenceMs, attempts }: MovingBody) => ({
  maxAttempts: attempts,
  requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
});

export const ledgerClient = (limits: WholeAnswer = awsLimits.ledger) => new DynamoDBClient(answeredWithin(limits));

export const queuesClient = (limits: WholeAnswer = awsLimits.queues) => new SQSClient(answeredWithin(limits));

export const eventsClient = (limits: WholeAnswer = awsLimits.events) => new EventBridgeClient(answeredWithin(limits));

export const noticesClient = (limits: WholeAnswer = awsLimits.notices) => new SNSClient(answeredWithin(limits));

export const workflowClient = (limits: WholeAnswer = awsLimits.workflow) => new SFNClient(answeredWithin(limits));

export const functionsClient = (limits: WholeAnswer = awsLimits.functions) => new LambdaClient(answeredWithin(limits));

export const schedulerClient = (limits: WholeAnswer = awsLimits.scheduler) =>
  new SchedulerClient(answeredWithin(limits));

export const secretsClient = (limits: WholeAnswer = awsLimits.secrets): SecretsProvider =>
  new SecretsProvider({ clientConfig: answeredWithin(limits) });

export const filesClient = (limits: MovingBody = awsLimits.files) => new S3Client(movingWithin(limits));
