import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { batchItem } from '../../../functions/ledger/batches/batch-codec.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import { createPace } from '../../../functions/ledger/pace/pace.ts';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import type { Ids, Log } from '../../../functions/ports/environment.ts';
import type { Ledger } from '../../../functions/ports/ledger/ledger.ts';
import type { Pace } from '../../../functions/ports/pace.ts';
import type { PaymentProvider } from '../../../functions/ports/provider.ts';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';
import type { Invocation } from '../../../functions/steps/as-step.ts';
import { endSubmit, endSubmitInput } from '../../../functions/steps/end-submit.ts';
import { followBatch, followInput } from '../../../functions/steps/follow.ts';
import { reportBatch, reportInput } from '../../../functions/steps/report-batch.ts';
import { chunkInput, submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { defaultMemoryMb } from '../../../infra/constructs/node-function.ts';
import { functionTable } from '../../../infra/function-table/function-table.ts';
import type { Usage } from '../../../infra/local/costs/price-list.ts';
import { settingsFrom } from '../../../infra/settings.ts';
import type { Ended } from '../../simulation/process.ts';
import { readDefinition } from '../../simulation/workflow/definition.ts';
import { Execution } from '../../simulation/workflow/execution.ts';
import { countingIds } from '../../simulation/world/functions.ts';
import { History } from '../../simulation/world/history.ts';
import type { Timeline } from '../../simulation/world/timeline.ts';
import type { Chance } from '../../support/chance.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { CountedFiles } from './counted-files.ts';
import { DocumentMeter } from './document-meter.ts';
import { PeakInASecond } from './peak-in-a-second.ts';
import type { PlannedBatch } from './planned-batch.ts';

/** Latencies in milliseconds. */
const ledgerMs = 3;
const lambdaStartMs = 60;

/** The default settings of a stack. */
export const defaults = settingsFrom({}, undefined);

/** Requests per second that its provider accepts. */
export const providerLimits = { post: defaults.provider.postsPerSecond, read: defaults.provider.readsPerSecond };

export interface VirtualAwsParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly http: Http;
  /** Maximum requests per second. */
  readonly limits: Parameters<typeof createPace>[0]['limits'];
  readonly onWrite: (changes: readonly TableChange[]) => void;
  readonly onLog: (level: 'info' | 'warn' | 'alarm', code: string, fields: object) => void;
}

/** The state of a warm function instance: its own pace, for all batches that it serves. */
interface Instance {
  readonly pace: Pace;
  readonly provider: PaymentProvider;
}

/** All dependencies that a function may have. */
export interface Environment extends Instance {
  readonly ledger: Ledger;
  readonly files: CountedFiles['files'];
  readonly settings: OrchestratorSettings;
  readonly clock: () => number;
  readonly ids: Ids;
  readonly random: () => number;
  readonly log: Log;
}

type Step = (environment: Environment, input: unknown, invocation: Invocation) => Promise<unknown>;

const step =
  <Input>(
    input: z.ZodType<Input>,
    run: (environment: Environment, input: Input, invocation: Invocation) => Promise<unknown>,
  ): Step =>
  async (environment, given, invocation) =>
    run(environment, input.parse(given), invocation);

/** A step that was done before the bench began. It returns the next state's input. */
const doneBefore = (answer: (batchId: string, environment: Environment) => object | Promise<object>): Step =>
  step(z.object({ batchId: z.string() }), async (environment, { batchId }) => answer(batchId, environment));

const steps: Readonly<Record<string, Step>> = {
  PlanBatch: doneBefore((batchId) => ({ batchId, next: 'estimate' })),
  EstimateFees: doneBefore((batchId) => ({ batchId, next: 'fund' })),
  PlanFunding: doneBefore(async (batchId, { ledger }) => ({
    batchId,
    next: 'disburse',
    manifestKey: (await ledger.getBatch(batchId))?.plan?.manifestKey,
    round: 1,
    sweeps: 0,
  })),
  SubmitChunk: step(chunkInput, submitChunk),
  EndSubmit: step(endSubmitInput, endSubmit),
  Follow: step(followInput, followBatch),
  ReportBatch: step(reportInput, reportBatch),
};

/** Counts what Step Functions bills: entered states, plus one for each started child of a Distributed Map. */
class Transitions extends History {
  entered = 0;

  override record(_who: string, verb: string, _text: () => string): void {
    if (verb === 'enters') this.entered += 1;
  }
}

/**
 * Lambda, Step Functions, DynamoDB and S3 on virtual time, without faults. Everything takes its time and is counted. The steps,
 * the ledger, the provider's client and the state machine's definition are the real ones.
 */
export class VirtualAws {
  readonly files: CountedFiles;
  readonly executions = new Map<string, Execution>();
  /** By function. */
  readonly invocations = new Map<string, number>();
  readonly #parts: VirtualAwsParts;
  readonly #table;
  readonly #meter: DocumentMeter;
  readonly #writes = new PeakInASecond();
  readonly #history: Transitions;
  readonly #ids: Ids;
  readonly #log: Log;
  readonly ledger: Ledger;
  readonly #client: DynamoDBDocumentClient;
  readonly #warm = new Map<string, Instance[]>();
  #invocations = 0;
  #mbMs = 0;

  constructor(parts: VirtualAwsParts) {
    const { timeline, onWrite, onLog } = parts;
    this.#parts = parts;
    this.#table = memoryLedgerTable({ onWrite });
    this.#meter = new DocumentMeter(this.#table, Object.values(ledgerTable.indexes));
    this.#history = new Transitions(timeline, false);
    this.files = new CountedFiles(timeline);
    this.#ids = countingIds(() => timeline.now);
    this.#log = {
      info: (code, fields = {}) => onLog('info', code, fields),
      warn: (code, fields = {}) => onLog('warn', code, fields),
      alarm: (code, fields = {}) => onLog('alarm', code, fields),
    };
    const send = async (command: unknown): Promise<unknown> => {
      await timeline.sleep(ledgerMs);
      const { writeUnits } = this.#meter.use;
      try {
        return this.#meter.answer(command);
      } finally {
        this.#writes.add(timeline.now, this.#meter.use.writeUnits - writeUnits);
      }
    };
    this.#client = Object.create(this.#table.client, { send: { value: send } });
    this.ledger = createLedger(this.#ledgerDependencies());
  }

  /** All use so far. */
  get usage(): Usage {
    const { writeUnits, readUnits } = this.#meter.use;
    return {
      stateTransitions: this.#history.entered,
      lambdaRequests: this.#invocations,
      lambdaMbMs: this.#mbMs,
      tableWriteUnits: writeUnits,
      tableReadUnits: readUnits,
      s3Writes: this.files.writes,
      s3Reads: this.files.reads,
      apiRequests: 0,
    };
  }

  /** The table's maximum write units in any second. */
  get peakWritesPerSecond(): number {
    return this.#writes.most;
  }

  /** Puts a batch into the ledger in its state after PlanFunding, and its plan into the bucket. */
  store({ batch, chunks }: PlannedBatch): void {
    this.files.addPlan(batch.plan?.prefix ?? '', batch.plan?.manifestKey ?? '', chunks);
    this.#table.answer(new PutCommand({ TableName: this.#table.name, Item: { ...batchItem(batch) } }));
  }

  /** Stores a batch and starts its execution. */
  start(planned: PlannedBatch): Execution {
    const { timeline } = this.#parts;
    this.store(planned);
    const parts = {
      timeline,
      history: this.#history,
      invoke: (task: string, input: unknown) => this.invoke(task, input),
      readItems: (key: string) => {
        const items = this.files.itemsOf(key);
        this.#history.entered += items.length;
        return items;
      },
      onTask: () => {},
      onBroken: (name: string, failure: { readonly Error: string }) => {
        throw new Error(`${name}: ${failure.Error}`);
      },
    };
    const { batchId } = planned.batch;
    const machine = readDefinition({ SubmitsAtOnce: defaults.submitsAtOnce });
    const execution = new Execution(parts, machine, { executionName: batchId }, batchId, { batchId });
    this.executions.set(batchId, execution);
    void execution.run();
    return execution;
  }

  /** Invokes a function as Step Functions does. */
  async invoke(task: string, input: unknown): Promise<Ended<unknown>> {
    const known = steps[task];
    if (known === undefined) throw new Error(`the bench has no step ${task}`);
    const value = await this.run(task, (environment, invocation) => known(environment, input, invocation));
    return { kind: 'answered', value };
  }

  /** Runs work as the function of this name, and counts what Lambda bills for it. */
  async run<Value>(
    name: string,
    work: (environment: Environment, invocation: Invocation) => Promise<Value>,
  ): Promise<Value> {
    const { timeline } = this.#parts;
    const made = functionTable[name];
    if (made === undefined) throw new Error(`the bench has no function ${name}`);
    const { timeoutSeconds, memoryMb = defaultMemoryMb } = made;
    await timeline.sleep(lambdaStartMs);
    const warm = this.#warm.get(name) ?? [];
    this.#warm.set(name, warm);
    const instance = warm.pop() ?? this.#newInstance();
    const since = timeline.now;
    const remainingMs = (): number => since + timeoutSeconds * 1000 - timeline.now;
    const value = await work(this.#environment(instance), { remainingMs });
    this.#invocations += 1;
    this.invocations.set(name, (this.invocations.get(name) ?? 0) + 1);
    this.#mbMs += Math.max(1, timeline.now - since) * memoryMb;
    if (remainingMs() < 0) throw new Error(`${name} exceeded its timeout`);
    warm.push(instance);
    return value;
  }

  #ledgerDependencies() {
    const { timeline, chance } = this.#parts;
    return {
      client: this.#client,
      table: this.#table.name,
      clock: () => timeline.now,
      ids: this.#ids,
      random: () => chance.next(),
      wait: (ms: number) => timeline.sleep(ms),
    };
  }

  #newInstance(): Instance {
    const { timeline, chance, http, limits, onLog } = this.#parts;
    const count = (metric: string): void => onLog('warn', metric, {});
    const pace = createPace({ ...this.#ledgerDependencies(), limits, log: this.#log, count });
    const provider = createPaymentProvider({
      baseUrl: 'https://provider.example',
      signing: 'hmac-sha256',
      traits: documentedTraits(),
      credentials: async () => ({ clientId: 'client', clientSecret: 'secret', apiKey: 'key' }),
      timeoutMs: defaults.orchestrator.httpTimeoutSeconds * 1000,
      clock: () => timeline.now,
      random: () => chance.next(),
      log: this.#log,
      pace,
      http,
    });
    return { pace, provider };
  }

  #environment(instance: Instance): Environment {
    const { timeline, chance } = this.#parts;
    return {
      ...instance,
      ledger: this.ledger,
      files: this.files.files,
      settings: defaults.orchestrator,
      clock: () => timeline.now,
      ids: this.#ids,
      random: () => chance.next(),
      log: this.#log,
    };
  }
}
