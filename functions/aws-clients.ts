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

/** Bounds of a request whose answer is small and read whole. */
export interface WholeAnswer {
  readonly connectMs: number;
  /** From the attempt's start to the first byte of its answer. */
  readonly firstByteMs: number;
  /** From the attempt's start to the last byte. More than `firstByteMs`, since an aborted attempt without an answer is not repeated. */
  readonly lastByteMs: number;
  readonly attempts: number;
}

/** Bounds of a request whose body may be large: it may take as long as it moves. */
export interface MovingBody {
  readonly connectMs: number;
  /** Milliseconds without a byte in either direction. From 6,000 on the SDK counts up to 3,000 later. */
  readonly silenceMs: number;
  readonly attempts: number;
}

/**
 * How long a request to AWS may take at the worst: each attempt, and before each repetition the SDK's wait, which is up to
 * 1, 2, 4 s and so on when AWS throttles, and less for anything else.
 *
 * | client | each attempt | worst case | has to be below |
 * |---|---|---|---|
 * | ledger, queues | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 15 s: SubmitChunk's margins for a claim, and for writing an answer down |
 * | events, notices | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 30 s: what publish-overdue keeps for one batch; NotifyPeople's 60 s |
 * | secrets | 2 s | 2 × 2 + 1 = 5 s | the same: credentials are read between the claim and the POST |
 * | workflow | 2.5 s | 5 × 2.5 + 1 + 2 + 4 + 8 = 27.5 s | 28 s: the operator API's functions |
 * | scheduler | 3.5 s | 3 × 3.5 + 1 + 2 = 13.5 s | 60 s: AwaitStart's function |
 * | files | 5 s of silence | 3 × (1 + 5 + 5) + 1 + 2 = 36 s | the silence of an upload, which nobody reads while chunks are written |
 * | functions | 29 s | 29 s: asked once, since it waits for a function of the operator API | 30 s: the console's functions |
 * | uploads | 60 s of silence | not bounded while bytes move | 900 s: PlanBatch's function |
 *
 * A client opens 50 connections at most, and waiting for one counts: a function asks for less at once.
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
 * Options of a client whose answers are read whole. The SDK's `requestTimeout` logs a warning unless it is told to throw, and
 * counts only until an answer begins. What stalls after that is aborted here, which the SDK takes for a reset and tries again.
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

/** Options of a client whose requests end when nothing has moved for a while. */
const movingWithin = ({ connectMs, silenceMs, attempts }: MovingBody) => ({
  maxAttempts: attempts,
  requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
});

export const ledgerClient = (limits: WholeAnswer = awsLimits.ledger): DynamoDBClient =>
  new DynamoDBClient(answeredWithin(limits));

export const queuesClient = (limits: WholeAnswer = awsLimits.queues): SQSClient =>
  new SQSClient(answeredWithin(limits));

export const eventsClient = (limits: WholeAnswer = awsLimits.events): EventBridgeClient =>
  new EventBridgeClient(answeredWithin(limits));

export const noticesClient = (limits: WholeAnswer = awsLimits.notices): SNSClient =>
  new SNSClient(answeredWithin(limits));

export const workflowClient = (limits: WholeAnswer = awsLimits.workflow): SFNClient =>
  new SFNClient(answeredWithin(limits));

export const functionsClient = (limits: WholeAnswer = awsLimits.functions): LambdaClient =>
  new LambdaClient(answeredWithin(limits));

export const schedulerClient = (limits: WholeAnswer = awsLimits.scheduler): SchedulerClient =>
  new SchedulerClient(answeredWithin(limits));

/** Keeps what it reads for as long as each caller says. */
export const secretsClient = (limits: WholeAnswer = awsLimits.secrets): SecretsProvider =>
  new SecretsProvider({ clientConfig: answeredWithin(limits) });

export const filesClient = (limits: MovingBody = awsLimits.files): S3Client => new S3Client(movingWithin(limits));
