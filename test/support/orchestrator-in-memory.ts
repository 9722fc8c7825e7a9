import type { Context } from 'aws-lambda';
import { parse } from 'csv-parse/sync';
import type * as z from 'zod';
import { approveBatch } from '../../functions/api/batches/approve-batch.ts';
import { getBatch } from '../../functions/api/batches/get-batch.ts';
import { startBatch } from '../../functions/api/batches/start-batch.ts';
import { endpoint } from '../../functions/api/endpoint.ts';
import { batchSummary, batchView } from '../../functions/api/schemas/batch.ts';
import * as operations from '../../functions/api/schemas/operations/batch-operations.ts';
import type { Batch } from '../../functions/domain/batch/batch.ts';
import { ProviderUnavailable } from '../../functions/domain/errors.ts';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { createFiles } from '../../functions/files/files.ts';
import type { Hint } from '../../functions/ports/hint-queue.ts';
import type { PaymentProvider } from '../../functions/ports/provider.ts';
import type { WebhookNames } from '../../functions/ports/webhook-names.ts';
import type { Workflow } from '../../functions/ports/workflow.ts';
import { createPortCheck } from '../../functions/provider/check/preflight.ts';
import { applyHint } from '../../functions/webhooks/apply-hint.ts';
import { queueHints } from '../../functions/webhooks/queue-hints.ts';
import type { Ended } from '../simulation/process.ts';
import { readDefinition } from '../simulation/workflow/definition.ts';
import { Execution } from '../simulation/workflow/execution.ts';
import { countingIds } from '../simulation/world/functions.ts';
import { History } from '../simulation/world/history.ts';
import { approvers, starter } from '../simulation/world/people.ts';
import type { Environment } from '../simulation/world/steps.ts';
import { steps } from '../simulation/world/steps.ts';
import type { Timeline } from '../simulation/world/timeline.ts';
import { MemoryBucket } from './memory-bucket.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { memoryLedgerTable, storedBatch } from './memory-table/ledger-table.ts';
import { noLimit } from './scenes/no-limit.ts';
import { silentLog } from './silent-log.ts';

const definition = readDefinition({ SubmitsAtOnce: 4 });
const context = Object.create(null) satisfies Context;

export interface OrchestratorInMemory {
  readonly timeline: Timeline;
  readonly provider: PaymentProvider;
  readonly settings: OrchestratorSettings;
  /** Longest virtual time of a batch, in milliseconds. */
  readonly longestMs: number;
  /** Called with each failed step, and each execution that fails by a mistake of the definition. */
  readonly onFailure: (what: string) => void;
}

/**
 * An orchestrator in memory: the real endpoints, steps and workflow on virtual time, with the ledger on a table in memory.
 * Time passes only after a function's work is done, so other threads and sockets may take part.
 */
export const orchestratorInMemory = ({ timeline, provider, settings, longestMs, onFailure }: OrchestratorInMemory) => {
  const clock = (): number => timeline.now;
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  const table = memoryLedgerTable();
  const ledger = createMemoryLedger(clock, table);
  const executions = new Map<string, Execution>();
  const underWay = new Set<Promise<unknown>>();

  const invoke = async (task: string, input: unknown): Promise<Ended<unknown>> => {
    const step = steps[task];
    if (step === undefined) throw new Error(`there is no step ${task}`);
    const work = step.run(environment, input, { remainingMs: () => step.timeoutSeconds * 1000 });
    underWay.add(work);
    try {
      return { kind: 'answered', value: await work };
    } catch (error) {
      onFailure(`${task}: ${error instanceof Error ? `${error.name} ${error.message}` : 'failed'}`);
      return { kind: 'failed', error };
    } finally {
      underWay.delete(work);
    }
  };
  const parts = {
    timeline,
    history: new History(timeline, false),
    invoke,
    readItems: (key: string) => JSON.parse(bucket.content(key)?.toString() ?? ''),
    onTask: () => {},
    onBroken: (name: string, { Error: error, Cause }: { readonly Error: string; readonly Cause: string }) =>
      onFailure(`${name}: ${error} ${Cause}`),
  };
  const workflow: Workflow = {
    start: async (name, input) => {
      const existing = executions.get(name);
      if (existing !== undefined) return existing.status === 'running' ? 'running' : 'over';
      const execution = new Execution(parts, definition, { executionName: name }, name, input);
      executions.set(name, execution);
      void execution.run();
      return 'started';
    },
    stateOf: async (name) => {
      const existing = executions.get(name);
      if (existing === undefined) return 'absent';
      return existing.status === 'running' ? 'running' : 'over';
    },
    consoleUrl: (name) => `https://console.example/${name}`,
  };
  const environment: Environment = {
    ...{ ledger, provider, workflow, workflowOf: () => workflow, clock, log: silentLog, pace: noLimit },
    files: createFiles({ s3, uploads: s3, bucket: 'files', clock }),
    providerCheck: createPortCheck(() => ({ provider }), 'as set'),
    settings,
    ids: countingIds(clock),
    random: () => 0,
    // No file here has a start time.
    schedules: { wakeAt: async () => {}, forget: async () => {} },
  };

  const startHandler = endpoint(silentLog, operations.startBatch, (request) =>
    startBatch({ ...environment, bucket: 'files' }, request),
  );
  const getHandler = endpoint(silentLog, operations.getBatch, (request) => getBatch(environment, request));
  const event = (userArn: string, body: object, pathParameters = {}) => ({
    pathParameters,
    headers: { 'idempotency-key': `key-${ledger.batches.size}` },
    body: JSON.stringify(body),
    requestContext: { identity: { userArn } },
  });

  const batchOf = (batchId: string): Batch => storedBatch(table, batchId);
  const isAsked = (batchId: string): boolean => {
    const { status, approval } = batchOf(batchId);
    return status === 'pending_approval' && approval?.approved === undefined;
  };
  /** Another person approves possible repeated debts. */
  const approve = (batchId: string): Promise<unknown> => {
    const body = { hash: batchOf(batchId).approval?.hash ?? '', reason: 'Two debts.' };
    return approveBatch(environment, { path: { batchId }, caller: approvers[0], body });
  };
  /** Lets time pass until nothing runs anymore. True when another person was asked for approval. */
  const untilRest = async (batchId: string): Promise<boolean> => {
    let asked = false;
    const isRunning = (): boolean => [...executions.values()].some(({ status }) => status === 'running');
    const startedAt = timeline.now;
    while (isRunning()) {
      await timeline.run(Number.MAX_SAFE_INTEGER, () => underWay.size > 0 || !isRunning() || isAsked(batchId));
      await Promise.allSettled(underWay);
      if (isAsked(batchId)) {
        asked = true;
        await approve(batchId);
      }
      if (timeline.now > startedAt + longestMs) throw new Error(`${batchId} is stuck: ${batchOf(batchId).status}`);
    }
    return asked;
  };

  /** Milliseconds until the next attempt. Undefined when the hint is done. */
  const tryHint = async (hint: Hint): Promise<number | undefined> => {
    const { lookupWindowSeconds } = settings.webhooks;
    const work = applyHint({ ...environment, lookupWindowSeconds }, hint);
    underWay.add(work);
    try {
      const unanswered = await work;
      return unanswered && Math.max(0, Date.parse(unanswered.until) - clock());
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      return lookupWindowSeconds * 1000;
    } finally {
      underWay.delete(work);
    }
  };

  const rowsOf = (key: string | undefined): Record<string, string>[] =>
    key === undefined ? [] : parse(bucket.content(key) ?? '', { bom: true, columns: true });

  return {
    /** Uploads a file and starts it. Returns the batch's id. */
    start: async (
      bytes: Buffer,
      mode: 'disburse' | 'preview',
      invalidRows: 'reject' | 'skip',
      more: { readonly canary?: number } = {},
    ): Promise<string> => {
      bucket.put('uploads/file', bytes);
      const body = { file: 'uploads/file', mode, invalidRows, ...more };
      const answered = await startHandler(event(starter, body), context);
      if (answered.statusCode !== 202) throw new Error(`the start was answered with ${answered.body}`);
      return batchSummary.parse(JSON.parse(answered.body)).batchId;
    },
    untilRest,
    cancel: (batchId: string): Promise<unknown> => ledger.requestCancel(batchId, starter),
    /** Receives a posted webhook and looks up the payouts that it names, again after a wait or a missing answer. */
    receiveWebhook: async (webhookNames: WebhookNames, body: string): Promise<void> => {
      const image = { hash: { S: 'webhook' }, body: { S: body }, receivedAt: { S: new Date(clock()).toISOString() } };
      const hints: Hint[] = [];
      await queueHints(
        { hintQueue: { send: async (found) => void hints.push(...found) }, webhookNames, log: silentLog },
        { Records: [{ dynamodb: { NewImage: image } }] },
      );
      for (const hint of hints)
        for (let waitMs: number | undefined = 0; waitMs !== undefined; ) {
          await timeline.sleep(waitMs);
          waitMs = await tryHint(hint);
        }
    },
    /** Failed executions, which a person has to resume. */
    failed: (): readonly string[] =>
      [...executions].filter(([, { status }]) => status === 'failed').map(([name]) => name),
    viewOf: async (batchId: string): Promise<z.infer<typeof batchView>> =>
      batchView.parse(JSON.parse((await getHandler(event(starter, {}, { batchId }), context)).body)),
    batchOf,
    content: (key: string): Buffer | undefined => bucket.content(key),
    rowsOf,
  };
};
