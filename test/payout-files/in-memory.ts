import type { S3Client } from '@aws-sdk/client-s3';
import type { Context } from 'aws-lambda';
import { parse } from 'csv-parse/sync';
import { approveBatch } from '../../functions/api/approve-batch.ts';
import { endpoint } from '../../functions/api/endpoint.ts';
import { getBatch } from '../../functions/api/get-batch.ts';
import { batchSummary, batchView } from '../../functions/api/schemas/batch.ts';
import * as operations from '../../functions/api/schemas/batch-operations.ts';
import { startBatch } from '../../functions/api/start-batch.ts';
import type { Batch } from '../../functions/domain/batch.ts';
import type { PlannedPayout } from '../../functions/domain/chunk.ts';
import { hashDestination } from '../../functions/domain/chunk.ts';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { createFiles } from '../../functions/files/files.ts';
import type { Log } from '../../functions/ports/environment.ts';
import type { PaymentProvider } from '../../functions/ports/provider.ts';
import type { Workflow } from '../../functions/ports/workflow.ts';
import { countingIds } from '../simulation/functions.ts';
import { History } from '../simulation/history.ts';
import { approvers, starter } from '../simulation/people.ts';
import type { Ended } from '../simulation/process.ts';
import type { Surroundings } from '../simulation/steps.ts';
import { steps } from '../simulation/steps.ts';
import { Timeline } from '../simulation/timeline.ts';
import { readDefinition } from '../simulation/workflow/definition.ts';
import { Execution } from '../simulation/workflow/execution.ts';
import { createListedProvider } from '../support/listed-provider.ts';
import { MemoryBucket } from '../support/memory-bucket.ts';
import { createMemoryLedger } from '../support/memory-ledger.ts';
import { noLimit } from '../support/no-limit.ts';
import type { InvalidRows, Outcome } from './judge.ts';
import type { Offer } from './offers.ts';
import { bankNames, isFiat } from './offers.ts';

const began = Date.parse('2026-03-02T08:00:00Z');
/** Longer than three tries of any step. */
const longestMs = 86_400_000;
const definition = readDefinition({ SubmitsAtOnce: 4 });
const context = Object.create(null) satisfies Context;
const quiet: Log = { info: () => {}, warn: () => {}, alarm: () => {} };
const proof = Buffer.from('%PDF-1.4\nproof\n%%EOF\n');

/** A provider that pays whatever it is sent at once, and keeps what that was. */
const payingProvider = (offers: readonly Offer[], clock: () => number) => {
  const listed = createListedProvider(clock);
  const composed = new Map<string, { readonly currency: string; readonly payouts: readonly PlannedPayout[] }>();
  const sent: (PlannedPayout & { readonly currency: string })[] = [];
  const never = async (): Promise<never> => {
    throw new Error('no file needs this');
  };
  const provider: PaymentProvider = {
    ...listed.provider,
    listPaymentMethods: async (rail) =>
      offers
        .filter((offer) => isFiat(offer) === (rail === 'fiat'))
        .flatMap(({ currency, banks, least, most }) =>
          (rail === 'fiat' ? banks : [currency]).map((code) => ({
            ...{ rail, currency, code, name: bankNames[code] ?? code, minAmount: least, maxAmount: most },
            ...{ feeFlat: '0', feePercentage: '0.1' },
          })),
        ),
    readBalances: async () => new Map(offers.map(({ currency }) => [currency, '1000000000000'])),
    estimateCryptoFee: async () => '0.001',
    quoteConversion: never,
    convert: never,
    listByDestination: never,
    downloadProof: async () => proof,
    composeSubmission: ({ currency }, payouts) => {
      const body = JSON.stringify(payouts);
      composed.set(body, { currency, payouts });
      return body;
    },
    submit: async (rail, body) => {
      const { currency, payouts } = composed.get(body) ?? (await never());
      const disbursements = payouts.map((payout) => {
        sent.push({ ...payout, currency });
        const { reference, amount, recipient } = payout;
        return listed.add({
          ...{ disbursementId: `d-${sent.length}`, reference, rail, currency, amount, fee: '0' },
          ...{ status: 'completed', providerStatus: 'completed', destinationHash: hashDestination(recipient) },
        });
      });
      return { kind: 'answered', disbursements };
    },
  };
  return { provider, sent };
};

/**
 * An orchestrator in memory: its endpoints, steps and workflow as they are, the ledger on a table in memory, on virtual time
 * and with nothing going wrong. A function's work is waited for before time passes: unpacking is done by other threads.
 */
export const inMemory = (offers: readonly Offer[], mostRows: number) => {
  const timeline = new Timeline(began);
  const clock = (): number => timeline.now;
  const bucket = new MemoryBucket();
  const s3: S3Client = Object.create(MemoryBucket.client, {
    send: { value: async (command: unknown) => bucket.answer(command) },
  });
  const ledger = createMemoryLedger(clock);
  const { provider, sent } = payingProvider(offers, clock);
  const executions = new Map<string, Execution>();
  const underWay = new Set<Promise<unknown>>();
  const failures: string[] = [];

  const invoke = async (task: string, input: unknown): Promise<Ended<unknown>> => {
    const step = steps[task];
    if (step === undefined) throw new Error(`there is no step ${task}`);
    const work = step.run(surroundings, input, { remainingMs: () => step.timeoutSeconds * 1000 });
    underWay.add(work);
    try {
      return { kind: 'answered', value: await work };
    } catch (error) {
      failures.push(`${task}: ${error instanceof Error ? `${error.name} ${error.message}` : 'failed'}`);
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
      void failures.push(`${name}: ${error} ${Cause}`),
  };
  const workflow: Workflow = {
    start: async (name, input) => {
      const standing = executions.get(name);
      if (standing !== undefined) return standing.status === 'running' ? 'running' : 'over';
      const execution = new Execution(parts, definition, { executionName: name }, name, input);
      executions.set(name, execution);
      void execution.run();
      return 'started';
    },
    stateOf: async (name) => {
      const standing = executions.get(name);
      if (standing === undefined) return 'absent';
      return standing.status === 'running' ? 'running' : 'over';
    },
    consoleUrl: (name) => `https://console.example/${name}`,
  };
  const surroundings: Surroundings = {
    ...{ ledger, provider, workflow, workflowOf: () => workflow, clock, log: quiet, pace: noLimit },
    files: createFiles({ s3, uploads: s3, bucket: 'files', clock }),
    settings: orchestratorSettings.parse({ maxRows: mostRows, payoutsPerCall: 5 }),
    ids: countingIds(clock),
    random: () => 0,
    // No file here is paid at a time.
    schedules: { wakeAt: async () => {}, forget: async () => {} },
  };

  const startHandler = endpoint(quiet, operations.startBatch, (request) =>
    startBatch({ ...surroundings, bucket: 'files' }, request),
  );
  const getHandler = endpoint(quiet, operations.getBatch, (request) => getBatch(surroundings, request));
  const event = (userArn: string, body: object, pathParameters = {}) => ({
    pathParameters,
    headers: { 'idempotency-key': `key-${ledger.batches.size}` },
    body: JSON.stringify(body),
    requestContext: { identity: { userArn } },
  });

  const batchOf = (batchId: string): Batch => {
    const batch = ledger.batches.get(batchId);
    if (batch === undefined) throw new Error(`there is no ${batchId}`);
    return batch;
  };
  const isAsked = (batchId: string): boolean => {
    const { status, approval } = batchOf(batchId);
    return status === 'pending_approval' && approval?.approved === undefined;
  };
  /** Another person looks at what may be a debt paid twice. */
  const approve = (batchId: string): Promise<unknown> => {
    const body = { hash: batchOf(batchId).approval?.hash ?? '', reason: 'Two debts.' };
    return approveBatch(surroundings, { path: { batchId }, caller: approvers[0], body });
  };
  /** Lets time pass until nothing runs any more. Answers whether another person was asked. */
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

  const rowsOf = (key: string | undefined): Record<string, string>[] =>
    key === undefined ? [] : parse(bucket.content(key) ?? '', { columns: true });

  return {
    /** Uploads the file, starts it and waits for its end. */
    run: async (bytes: Buffer, mode: 'disburse' | 'preview', invalidRows: InvalidRows): Promise<Outcome> => {
      bucket.put('uploads/file', bytes);
      const body = { file: 'uploads/file', mode, invalidRows };
      const answered = await startHandler(event(starter, body), context);
      if (answered.statusCode !== 202) throw new Error(`the start was answered with ${answered.body}`);
      const { batchId } = batchSummary.parse(JSON.parse(answered.body));
      const alreadySent = sent.length;
      const asked = await untilRest(batchId);
      if (failures.length > 0) throw new Error(failures.join('\n'));
      const told = await getHandler(event(starter, {}, { batchId }), context);
      const { status, reason } = batchView.parse(JSON.parse(told.body));
      const { plan, report } = batchOf(batchId);
      return {
        status,
        reasonCode: reason?.code,
        asked,
        errors: rowsOf(plan?.errorsFile?.key).map(({ row, code = '' }) => ({ row: Number(row), code })),
        ...(plan?.toCorrectKey === undefined
          ? {}
          : { toCorrect: bucket.content(plan.toCorrectKey) ?? Buffer.alloc(0) }),
        repeated: rowsOf(plan?.repeatedDebts?.list.key).map(({ row }) => Number(row)),
        results: rowsOf(report?.resultsKey),
        paid: sent.slice(alreadySent).map(({ recipient: { kind: _, ...recipient }, row, ...payout }) => ({
          row,
          sent: { ...payout, ...recipient },
        })),
      };
    },
  };
};
