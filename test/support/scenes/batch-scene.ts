import { text } from 'node:stream/consumers';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import type { CallOutcome } from '../../../functions/domain/batch/chunk.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import type { Payout, Rail } from '../../../functions/domain/payout/payout.ts';
import type { PayoutStatus } from '../../../functions/domain/payout/payout-status.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { numberAndPublish } from '../../../functions/events/number-and-publish.ts';
import { reportKey } from '../../../functions/files/keys.ts';
import { readPayout } from '../../../functions/ledger/payouts/payout-codec.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { Log } from '../../../functions/ports/environment.ts';
import type { Turn } from '../../../functions/ports/pace.ts';
import type { Disbursement, SubmitAnswer } from '../../../functions/ports/provider.ts';
import type { providerTraits } from '../../../functions/provider/settings.ts';
import { chunkInput } from '../../../functions/steps/submit-chunk.ts';
import { createMemoryLedger } from '../memory-ledger.ts';
import { memoryLedgerTable } from '../memory-table/ledger-table.ts';
import { currencyPlan } from '../money.ts';
import { exampleChunkFile, examplePlan } from './example-batch.ts';
import { createListedProvider, wordOf } from './listed-provider.ts';
import { newBatch } from './new-batch.ts';
import { noLimit } from './no-limit.ts';

export const batchId = 'b-1';
export const startedAt = Date.parse('2026-11-21T08:00:00Z');

export interface SceneOptions {
  readonly rail?: Rail;
  readonly chunks?: number;
  /** Rows per chunk. */
  readonly rows?: number;
  /** Rows to pay before the others, in whole chunks. */
  readonly canary?: number;
  readonly pauseAbove?: number;
  readonly settings?: z.input<ReturnType<typeof orchestratorSettings>>;
  readonly traits?: z.input<ReturnType<typeof providerTraits>>;
}

/**
 * A batch that is disbursing, on the real ledger over the table in memory, with its chunk files. Its provider keeps its
 * disbursements and answers POSTs as scripted. The provider accepts a POST without a scripted answer. A test moves the clock.
 */
export const createBatchScene = async ({
  rail = 'fiat',
  chunks = 1,
  rows = 4,
  canary,
  pauseAbove,
  settings = {},
  traits = {},
}: SceneOptions = {}) => {
  let now = startedAt;
  let made = 0;
  const clock = () => now;
  const table = memoryLedgerTable();
  const commands: { readonly name: string; readonly input: unknown }[] = [];
  const sentBy = async (command: { readonly input: unknown }): Promise<unknown> => {
    commands.push({ name: command.constructor.name, input: command.input });
    return table.answer(command);
  };
  Object.assign(table.client, { send: sentBy });
  const ids = {
    sortable: () => `${++made}`.padStart(26, '0'),
    unique: () => `unique-${++made}`,
  };
  const ledger = createMemoryLedger(clock, table);
  const files = Array.from({ length: chunks }, (_, index) => exampleChunkFile(batchId, rail, index + 1, rows));
  const total = files.flatMap(({ payouts }) => payouts).reduce((sum, { row }) => sum + row * 100 + 0.5, 0);
  const currency = rail === 'fiat' ? 'IDR' : 'usdt-tron';
  const planned = examplePlan(batchId, chunks, [
    currencyPlan({
      rail,
      currency,
      count: rows * chunks,
      amount: `${total}`,
      fee: '0',
      largestAmount: '0',
      methods: [],
    }),
  ]);
  const plan = canary === undefined ? planned : { ...planned, canaryChunks: canary / rows };
  const batch = newBatch({
    batchId,
    ...(canary === undefined ? {} : { canary }),
    ...(pauseAbove === undefined ? {} : { pauseAbove }),
  });
  await ledger.createBatch(batch);
  await ledger.moveBatch(batchId, batchTransitions.startValidating, 'system');
  await ledger.recordPlan(batch, plan);
  await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');

  const lines: { readonly code: string; readonly [field: string]: string | number | boolean }[] = [];
  const alarms: string[] = [];
  const write: Log['info'] = (code, fields) => void lines.push({ code, ...fields });
  const log: Log = {
    info: write,
    warn: write,
    alarm: (metric, fields) => {
      alarms.push(metric);
      write(metric, fields);
    },
  };

  const listed = createListedProvider(clock, traits);
  const posted: string[][] = [];
  const answers: ((references: readonly string[]) => SubmitAnswer | Promise<SubmitAnswer>)[] = [];
  const manifests = new Map<string, readonly number[]>();
  const reports = new Map<string, string>();
  const turns: Turn[] = [];

  const disbursementOf = (reference: string, changes: Partial<Disbursement> = {}): Disbursement => {
    const planned = files.flatMap(({ payouts }) => payouts).find((payout) => payout.reference === reference);
    if (planned === undefined) throw new Error(`no payout ${reference}`);
    const { status = 'pending' } = changes;
    return {
      disbursementId: `d-${reference}`,
      reference,
      rail,
      amount: Money.of(planned.amount, currency),
      fee: Money.of('1', currency),
      status,
      providerStatus: wordOf(status),
      destinationHash: hashDestination(planned.recipient),
      ...changes,
    };
  };

  /** The provider's answer to a POST that it accepts. */
  const accept = (references: readonly string[]): SubmitAnswer => ({
    kind: 'answered',
    disbursements: references.map((reference) => listed.add(disbursementOf(reference))),
  });

  const chunkOfRow = (row: number): number => Math.ceil(row / rows);
  const payout = (row: number): Payout => {
    const item = table.item(keys.payout(batchId, chunkOfRow(row), row));
    if (item === undefined) throw new Error(`row ${row} is not registered`);
    return readPayout(item);
  };

  return {
    batchId,
    table,
    ledger,
    clock,
    commands,
    files,
    alarms,
    lines,
    listed,
    posted,
    answers,
    /** Answers of the pace, in order. `now` by default. */
    turns,
    manifests,
    reports,
    disbursementOf,
    accept,
    payout,
    /** Puts a row into a state that takes many steps to reach, and recounts its chunk. `null` removes a field. */
    arrange: async (row: number, changes: { readonly [Field in keyof Payout]?: Payout[Field] | null }) => {
      const current = payout(row);
      const arranged = Object.entries({ ...current, ...changes })
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, value instanceof Money ? value.amount : value]);
      ledger.putPayout(readPayout({ ...Object.fromEntries(arranged), currency: current.amount.currency }));
      await ledger.refreshChunk(batchId, chunkOfRow(row));
    },
    /** Overwrites the outcome of chunk 1's first call, as if its function had died afterward. */
    setOutcome: (outcome: CallOutcome) => {
      const key = keys.call(batchId, 1, 1);
      table.answer(new PutCommand({ TableName: table.name, Item: { ...table.item(key), ...key, outcome } }));
    },
    /** Publishes all news, as the reader of the ledger's stream does. This raises the alarms of contradictions. */
    publishNews: async (ownLedger: Pick<typeof ledger, 'writeEvents'> = ledger) => {
      const eventBus = { publish: async (events: readonly unknown[]) => events.length };
      for await (const { batchId: of, newsId } of ledger.listNewsBefore('9999'))
        await numberAndPublish(
          { ledger: { ...ledger, ...ownLedger }, eventBus, log, wait: async () => undefined },
          of,
          [newsId],
        );
    },
    pause: () => ledger.moveBatch(batchId, batchTransitions.pause, 'arn:person', { resumeTo: 'processing' }),
    resume: () => ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'arn:person', { resumeTo: null }),
    /** Deletes a chunk's record, as if its registration had died before writing it. */
    forgetRecord: (chunk = 1) => {
      table.answer(new DeleteCommand({ TableName: table.name, Key: { ...keys.chunk(batchId, chunk) } }));
    },
    record: async (chunk = 1) => {
      const found = (await ledger.listChunks(batchId)).find((record) => record.chunk === chunk);
      if (found === undefined) throw new Error(`chunk ${chunk} is not registered`);
      return found;
    },
    batch: async () => {
      const batch = await ledger.getBatch(batchId);
      if (batch === undefined) throw new Error('no batch');
      return batch;
    },
    events: async (code: string) =>
      [
        ...(await ledger.listTimeline(batchId, { limit: 1000, consistent: true })).items,
        ...(await ledger.listTimeline(batchId, { limit: 1000, consistent: true, kind: 'contradiction' })).items,
      ].filter((event) => event.code === code),
    /** Statuses of all registered rows, in order. */
    statuses: (): PayoutStatus[] =>
      ledger.payouts.toSorted((one, other) => one.row - other.row).map(({ status }) => status),
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
    inputOf: (chunk = 1) => chunkInput.parse({ batchId, chunk }),
    invocation: { remainingMs: () => 90_000 },
    dependencies: {
      ledger,
      provider: {
        ...listed.provider,
        composeSubmission: (_chunk: unknown, payouts: readonly { readonly reference: string }[]) =>
          JSON.stringify(payouts.map(({ reference }) => reference)),
        submit: async (_rail: Rail, body: string): Promise<SubmitAnswer> => {
          const references: string[] = JSON.parse(body);
          posted.push(references);
          return (answers.shift() ?? accept)(references);
        },
      },
      files: {
        getChunk: async (_plan: unknown, chunk: number) => {
          const file = files[chunk - 1];
          if (file === undefined) throw new Error(`no chunk ${chunk}`);
          return file;
        },
        readList: ({ key }: { readonly key: string }) => {
          throw new Error(`there is no ${key}`);
        },
        putSubmitManifest: async (_batchId: string, runId: string, wanted: readonly number[]) => {
          const key = `batches/${batchId}/submit-${runId}.json`;
          manifests.set(key, wanted);
          return key;
        },
        putProof: async (_batchId: string, row: number, pdf: Uint8Array) => ({
          key: `proofs/${row}-${pdf.join('-')}.pdf`,
          sha256: `hash-${pdf.join('-')}`,
          bytes: pdf.byteLength,
        }),
        putReport: async (
          id: string,
          runId: string,
          name: Parameters<typeof reportKey>[2],
          content: Parameters<typeof text>[0],
        ) => {
          const key = reportKey(id, runId, name);
          reports.set(key, await text(content));
          return key;
        },
      },
      pace: { ...noLimit, turn: async (): Promise<Turn> => turns.shift() ?? { kind: 'now' } },
      settings: orchestratorSettings().parse(settings),
      clock,
      random: () => 0,
      ids,
      log,
    },
  };
};

export type BatchScene = Awaited<ReturnType<typeof createBatchScene>>;
