import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import { createPace } from '../../../functions/ledger/pace/pace.ts';
import type { Ids, Log } from '../../../functions/ports/environment.ts';
import type { RequestKind } from '../../../functions/ports/pace.ts';
import { createProviderCheck } from '../../../functions/provider/check/preflight.ts';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import type { ProviderTraits } from '../../../functions/provider/settings.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Ended, ProcessParts } from '../process.ts';
import { Process } from '../process.ts';
import type { Network } from '../provider/network.ts';
import type { StateMachine } from '../workflow/state-machine.ts';
import { filesOf } from './files-access.ts';
import { ledgerAccess } from './ledger-access.ts';
import type { SimulatedSchedules } from './schedules.ts';
import type { Environment } from './steps.ts';
import { steps } from './steps.ts';

export interface FunctionParts extends ProcessParts {
  readonly table: MemoryTable;
  readonly bucket: MemoryBucket;
  readonly network: Network;
  readonly settings: OrchestratorSettings;
  readonly traits: ProviderTraits;
  /** Maximum requests per second of the functions, by kind. 0 sets no limit. */
  readonly limits: Readonly<Record<RequestKind, number>>;
  readonly stateMachine: () => StateMachine;
  readonly schedules: () => SimulatedSchedules;
  readonly onSend: (actor: string) => void;
  readonly onAskLeave: (actor: string, reference: string) => void;
  /** Called with each alarm and its batch. */
  readonly onAlarm: (metric: string, batchId: string) => void;
  /** Called with the name of each function that ends with an error. */
  readonly onError: (actor: string, error: unknown) => void;
}

const refused = (): Error => Object.assign(new Error('Rate exceeded'), { name: 'Lambda.TooManyRequestsException' });

/** Sorted by time like ULIDs: the milliseconds, then a count. */
export const countingIds = (now: () => number): Ids => {
  let count = 0;
  const next = (): string => {
    count += 1;
    return count.toString();
  };
  return {
    sortable: () => `${now().toString(32).padStart(10, '0')}${next().padStart(16, '0')}`.toUpperCase(),
    unique: () => next().padStart(8, '0'),
  };
};

const subjectOf = (input: unknown): string => {
  if (typeof input !== 'object' || input === null || !('batchId' in input)) return '';
  return `${input.batchId}${'chunk' in input ? `.${input.chunk}` : ''}`;
};

/** Lambda: invokes the real functions, each invocation as a process of its own. */
export class Functions {
  readonly #parts: FunctionParts;
  readonly #ids: Ids;
  #invocations = 0;

  constructor(parts: FunctionParts) {
    this.#parts = parts;
    this.#ids = countingIds(() => parts.timeline.now);
  }

  /**
   * Runs something as an invocation does.
   *
   * @param what the function and its subject, for the history
   */
  async run<Value>(
    what: string,
    timeoutSeconds: number,
    work: (environment: Environment, process: Process) => Promise<Value>,
  ): Promise<Ended<Value>> {
    this.#invocations += 1;
    const process = new Process(this.#parts, `${what} #${this.#invocations}`, timeoutSeconds * 1000);
    this.#parts.history.record(process.name, 'starts', () => '');
    const ended = await process.run(() => work(this.#environment(process), process));
    if (ended.kind === 'failed') this.#parts.onError(process.name, ended.error);
    return ended;
  }

  /** Invokes a step as Step Functions does: it may be refused, or run twice, concurrently or one after the other. */
  async invoke(task: string, input: unknown): Promise<Ended<unknown>> {
    const { timeline, chance, weather } = this.#parts;
    const step = steps[task];
    if (step === undefined) throw new Error(`the simulation knows no step ${task}`);
    const isFoul = timeline.now < weather.until;
    if (isFoul && chance.happens(weather.refused)) {
      await timeline.sleep(50);
      return { kind: 'failed', error: refused() };
    }
    const once = (): Promise<Ended<unknown>> =>
      this.run(`${task} ${subjectOf(input)}`, step.timeoutSeconds, (environment, process) =>
        step.run(environment, input, { remainingMs: () => process.remainingMs }),
      );
    if (!isFoul || !chance.happens(this.#twinOf(task))) return once();
    const delayMs = chance.happens(0.5) ? chance.between(0, 500) : chance.between(0, step.timeoutSeconds * 1000);
    const isFirstHeard = chance.happens(0.5);
    const first = once();
    const second = timeline.sleep(delayMs).then(once);
    return isFirstHeard ? first : second;
  }

  #twinOf(task: string): number {
    const { weather, timeline } = this.#parts;
    const { storm, twin } = weather;
    const strikes = storm === undefined || timeline.now >= storm.until ? [] : storm.strikes;
    return Math.max(twin, ...strikes.filter((strike) => strike.function === task).map((strike) => strike.twin));
  }

  #environment(process: Process): Environment {
    const {
      timeline,
      chance,
      weather,
      table,
      bucket,
      network,
      settings,
      traits,
      limits,
      stateMachine,
      schedules,
      history,
      onSend,
      onAskLeave,
      onAlarm,
    } = this.#parts;
    const clock = (): number => timeline.now;
    const random = (): number => chance.next();
    const ids = this.#ids;
    const say =
      (level: string) =>
      (code: string, fields: Readonly<Record<string, string | number | boolean>> = {}): void =>
        history.record(process.name, level, () => `${code} ${JSON.stringify(fields)}`);
    const alarm: Log['alarm'] = (metric, fields = {}) => {
      say('ALARM')(metric, fields);
      onAlarm(metric, String(fields['batchId']));
    };
    const log: Log = { info: say('logs'), warn: say('warns'), alarm };
    const access = ledgerAccess({ table, timeline, chance, weather, clock, ids, random, onSend, onAskLeave }, process);
    const pace = createPace({ ...access, limits, log, count: () => {} });
    const connection = {
      baseUrl: 'https://provider.example',
      signing: 'hmac-sha256',
      traits,
      credentials: async () => ({ clientId: 'client', clientSecret: 'secret', apiKey: 'key' }),
      timeoutMs: settings.httpTimeoutSeconds * 1000,
      clock,
      random,
      pace,
      http: network.of(process),
    };
    return {
      ledger: createLedger(access),
      files: filesOf({ bucket, timeline, chance, weather }, process),
      provider: createPaymentProvider({ ...connection, log }),
      providerCheck: createProviderCheck({
        ...connection,
        unusedReference: () => `check-${ids.unique()}`,
      }),
      pace,
      workflow: stateMachine().port(process, chance, weather),
      schedules: schedules().port(process),
      workflowOf: () => stateMachine().port(process, chance, weather),
      settings,
      clock,
      ids,
      random,
      log,
    };
  }
}
