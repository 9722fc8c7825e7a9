import type {
  Catcher,
  Machine,
  MapState,
  ParallelState,
  Retrier,
  State,
  TaskState,
} from '../../../infra/workflow/language.ts';
import { matches, nextOf } from '../../../infra/workflow/language.ts';
import type { Ended } from '../process.ts';
import type { History } from '../world/history.ts';
import type { Timeline } from '../world/timeline.ts';
import { choose } from './choice.ts';
import { EventHistory } from './event-history.ts';
import type { Failure, Outcome } from './outcome.ts';
import { failedBy, outcomeOf, throughJson } from './outcome.ts';
import type { Context } from './paths.ts';
import { at, fill, PathMissing } from './paths.ts';

export interface ExecutionParts {
  readonly timeline: Timeline;
  readonly history: History;
  /** Invokes a function by the name of its Task. */
  readonly invoke: (task: string, input: unknown, caller: string) => Promise<Ended<unknown>>;
  /** Reads an object of the bucket as the Map's ItemReader does. */
  readonly readItems: (key: string) => readonly unknown[];
  /** Called with each Task that an execution begins, before it is invoked. */
  readonly onTask: (executionName: string, task: string) => void;
  /** Called when a state fails by a mistake of the definition: no such path, a full history. */
  readonly onBroken: (executionName: string, failure: Failure) => void;
  /** Maximum events of a history. Step Functions' own limit by default. */
  readonly mostEvents?: number;
}

export type ExecutionStatus = 'running' | 'succeeded' | 'failed' | 'aborted';

/** Milliseconds between one state and the next in Step Functions. */
const transitionMs = 20;

/** Errors that a correct definition never causes. */
const broken: readonly string[] = ['States.Runtime'];

/**
 * One run of a machine: a batch's execution, a child of its Map, or a branch of its Parallel. It knows its position, so it can be
 * stopped and redriven from there.
 */
export class Execution {
  readonly name: string;
  status: ExecutionStatus = 'running';
  /** Milliseconds since 1970 at which it was last started or redriven. */
  runningSince = 0;
  readonly #parts: ExecutionParts;
  readonly #machine: Machine;
  readonly #context: Context;
  readonly #events: EventHistory;
  #state: string;
  #input: unknown;
  #failure: Failure | undefined;
  /** The children of its current Map or Parallel. */
  #children: readonly Execution[] | undefined;
  /** Counts stops and redrives. Work begun before the last of them must not continue. */
  #life = 0;

  /** @param events the history of the execution whose branch this is */
  constructor(
    parts: ExecutionParts,
    machine: Machine,
    context: Context,
    name: string,
    input: unknown,
    events = new EventHistory(parts.mostEvents),
  ) {
    this.#parts = parts;
    this.#machine = machine;
    this.#context = context;
    this.#events = events;
    this.name = name;
    this.#state = machine.StartAt;
    this.#input = throughJson(input);
  }

  get state(): string {
    return this.#state;
  }

  /** The output of its last state, once it has succeeded. */
  get output(): unknown {
    return this.#input;
  }

  /** Why it failed. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Continues from its position to the end. Never settles when it is stopped on the way. */
  async run(): Promise<void> {
    this.status = 'running';
    this.runningSince = this.#parts.timeline.now;
    const life = this.#life;
    for (;;) {
      const state = this.#machine.States[this.#state];
      if (state === undefined) throw new Error(`there is no state ${this.#state}`);
      await this.#parts.timeline.sleep(transitionMs);
      if (life !== this.#life) return stopped();
      this.#parts.history.record(this.name, 'enters', () => this.#state);
      this.#events.enters(state);
      const next = await this.#step(state);
      if (life !== this.#life) return stopped();
      if (next === undefined) return;
      this.#state = next;
      this.#children = undefined;
    }
  }

  /** Stops it, as an operator does in the console. Invoked functions continue. */
  stop(): void {
    if (this.status !== 'running') return;
    this.#life += 1;
    this.status = 'aborted';
    this.#parts.history.record(this.name, 'is stopped in', () => this.#state);
    for (const child of this.#children ?? []) child.stop();
  }

  /** Continues from the state in which it failed or was stopped. Children and branches that succeeded are not repeated. */
  async redrive(): Promise<void> {
    if (this.status !== 'failed' && this.status !== 'aborted') return;
    this.#parts.history.record(this.name, 'is redriven in', () => this.#state);
    this.#events.redriven();
    await this.#goOn();
  }

  async #goOn(): Promise<void> {
    this.#life += 1;
    this.#failure = undefined;
    await this.run();
  }

  /** Runs one state. Undefined when it was the last. */
  async #step(state: State): Promise<string | undefined> {
    const life = this.#life;
    const outcome = await this.#outcomeOf(state);
    // The result of work begun before a stop is dropped.
    if (life !== this.#life) return stopped();
    if (outcome.kind === 'error') return this.#caught(outcome.failure, 'Catch' in state ? state.Catch : []);
    this.#input = outcome.output;
    const next = outcome.next ?? nextOf(state);
    if (next === undefined) this.#end('succeeded');
    return next;
  }

  async #outcomeOf(state: State): Promise<Outcome> {
    if (this.#events.isFull) return failedBy('States.Runtime', 'the history holds no more events');
    try {
      return await this.#do(state);
    } catch (error) {
      if (error instanceof PathMissing) return failedBy(error.name, `${this.#state} asks for ${error.message}`);
      throw error;
    }
  }

  #do(state: State): Promise<Outcome> | Outcome {
    const unchanged = { kind: 'output', output: this.#input } as const;
    switch (state.Type) {
      case 'Succeed':
        return unchanged;
      case 'Fail':
        return failedBy(state.Error, state.Cause);
      case 'Choice':
        return { ...unchanged, next: choose(state, this.#input, this.#context) };
      case 'Wait': {
        const seconds = at(state.SecondsPath, this.#input, this.#context);
        if (typeof seconds !== 'number') throw new Error(`${this.#state} waits for no number of seconds`);
        return this.#parts.timeline.sleep(seconds * 1000).then(() => unchanged);
      }
      case 'Pass':
        return { kind: 'output', output: this.#withField(state.ResultPath, state.Result) };
      case 'Task':
        return this.#task(state).then((outcome) =>
          outcome.kind === 'output' && state.ResultPath === null ? unchanged : outcome,
        );
      case 'Map':
        return this.#map(state);
      case 'Parallel':
        return this.#parallel(state);
    }
  }

  /** The input with a field set: `$.name`. */
  #withField(path: string, value: unknown): unknown {
    return { ...Object(this.#input), [path.slice(2)]: value };
  }

  #end(status: 'succeeded' | 'failed'): void {
    this.status = status;
    this.#parts.history.record(this.name, status, () => `in ${this.#state} ${this.#failure?.Error ?? ''}`.trim());
  }

  /** The state that handles a failure. Undefined when the failure ends the execution. */
  #caught(failure: Failure, catchers: readonly Catcher[]): string | undefined {
    if (broken.includes(failure.Error)) this.#parts.onBroken(this.name, failure);
    const catcher = catchers.find((candidate) => matches(candidate, failure.Error));
    if (catcher === undefined) {
      this.#failure = failure;
      this.#end('failed');
      return undefined;
    }
    const { ResultPath } = catcher;
    if (ResultPath !== null) this.#input = this.#withField(ResultPath, failure);
    return catcher.Next;
  }

  /** Runs a Task with its Retry. Each retrier counts its own attempts. */
  async #task(state: TaskState): Promise<Outcome> {
    const life = this.#life;
    const retries = new Map<Retrier, number>();
    for (;;) {
      this.#events.tries();
      const outcome = await this.#attempt(state);
      if (outcome.kind === 'output' || life !== this.#life) return outcome;
      const retrier = state.Retry.find((candidate) => matches(candidate, outcome.failure.Error));
      const made = retrier === undefined ? 0 : (retries.get(retrier) ?? 0);
      if (retrier === undefined || made >= retrier.MaxAttempts) return outcome;
      retries.set(retrier, made + 1);
      await this.#parts.timeline.sleep(retrier.IntervalSeconds * 1000 * retrier.BackoffRate ** made);
      if (life !== this.#life) return stopped();
    }
  }

  async #attempt(state: TaskState): Promise<Outcome> {
    const { timeline, invoke, onTask } = this.#parts;
    const { Resource, Parameters, TimeoutSeconds } = state;
    const input = throughJson(Parameters === undefined ? this.#input : fill(Parameters, this.#input, this.#context));
    onTask(this.#context.executionName, Resource);
    return new Promise((resolve) => {
      timeline.in(TimeoutSeconds * 1000, () => resolve(failedBy('States.Timeout')));
      invoke(Resource, input, this.name).then((ended) => resolve(outcomeOf(ended)));
    });
  }

  /** Runs the children of a Distributed Map, several at a time. Their failures are tolerated, their outputs dropped. */
  async #map(state: MapState): Promise<Outcome> {
    this.#children ??= this.#childrenOf(state);
    const waiting = this.#children.filter(({ status }) => status !== 'succeeded');
    const worker = async (): Promise<void> => {
      for (let child = waiting.shift(); child !== undefined; child = waiting.shift()) await child.#goOn();
    };
    await Promise.all(Array.from({ length: state.MaxConcurrency }, worker));
    return { kind: 'output', output: this.#input };
  }

  #childrenOf({ ItemReader, ItemSelector, ItemProcessor }: MapState): readonly Execution[] {
    const key = at(ItemReader.Parameters['Key.$'], this.#input, this.#context);
    return this.#parts.readItems(String(key)).map((item, index) => {
      const context = { ...this.#context, item };
      const input = fill(ItemSelector, this.#input, context);
      const name = `${this.name}.${String(input['chunk'] ?? index + 1)}`;
      return aborted(new Execution(this.#parts, ItemProcessor, context, name, input));
    });
  }

  /** Runs all branches concurrently. The first failure stops the others and becomes the failure of the whole. */
  async #parallel(state: ParallelState): Promise<Outcome> {
    this.#children ??= state.Branches.map((branch) =>
      aborted(new Execution(this.#parts, branch, this.#context, this.name, throughJson(this.#input), this.#events)),
    );
    const branches = this.#children;
    const open = branches.filter(({ status }) => status !== 'succeeded');
    const failed = await new Promise<Execution | undefined>((resolve) => {
      for (const branch of open) {
        void branch.#goOn().then(() => {
          if (branch.status === 'failed') resolve(branch);
          else if (branches.every(({ status }) => status === 'succeeded')) resolve(undefined);
        });
      }
      if (open.length === 0) resolve(undefined);
    });
    if (failed === undefined) {
      const outputs = branches.map(({ output }) => output);
      return { kind: 'output', output: at(state.OutputPath ?? '$', outputs, this.#context) };
    }
    for (const branch of branches) branch.stop();
    return { kind: 'error', failure: failed.failure ?? { Error: 'States.BranchFailed', Cause: '' } };
  }
}

const stopped = (): Promise<never> => new Promise(() => {});

/** Creates it without running it. A redrive starts it. */
const aborted = (execution: Execution): Execution => {
  execution.status = 'aborted';
  return execution;
};
