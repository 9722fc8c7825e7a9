import type { History } from '../history.ts';
import type { Ended } from '../process.ts';
import type { Timeline } from '../timeline.ts';
import type { Catcher, Machine, MapState, Retrier, State, TaskState } from './definition.ts';
import type { Context } from './paths.ts';
import { at, fill } from './paths.ts';

export interface ExecutionParts {
  readonly timeline: Timeline;
  readonly history: History;
  /** Invokes a function by the name of its Task. */
  readonly invoke: (task: string, input: unknown, caller: string) => Promise<Ended<unknown>>;
  /** An object of the bucket, as the Map's ItemReader reads it. */
  readonly readItems: (key: string) => readonly unknown[];
  /** Told of each Task that an execution begins, before it is invoked. */
  readonly onTask: (executionName: string, task: string) => void;
}

export type ExecutionStatus = 'running' | 'succeeded' | 'failed' | 'aborted';

interface Failure {
  readonly Error: string;
  readonly Cause: string;
}

type Outcome =
  | { readonly kind: 'output'; readonly output: unknown }
  | { readonly kind: 'error'; readonly failure: Failure };

/** Milliseconds that Step Functions takes from one state to the next. */
const transitionMs = 20;

const gone = { crashed: 'Runtime.ExitError', out_of_time: 'Sandbox.Timedout' } as const;

const matches = ({ ErrorEquals }: { readonly ErrorEquals: readonly string[] }, error: string): boolean =>
  ErrorEquals.some(
    (name) => name === 'States.ALL' || name === error || (name === 'States.TaskFailed' && error !== 'States.Timeout'),
  );

/** What goes from state to state goes through JSON. */
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/**
 * One run of a machine: a batch's execution, or one of its Map's children. It knows where it is, so that it can be
 * stopped, and redriven from there.
 */
export class Execution {
  readonly name: string;
  status: ExecutionStatus = 'running';
  readonly #parts: ExecutionParts;
  readonly #machine: Machine;
  readonly #context: Context;
  #state: string;
  #input: unknown;
  #children: readonly Execution[] | undefined;
  /** Counts stops and redrives: what was begun before the last of them must not go on. */
  #life = 0;

  constructor(parts: ExecutionParts, machine: Machine, context: Context, name: string, input: unknown) {
    this.#parts = parts;
    this.#machine = machine;
    this.#context = context;
    this.name = name;
    this.#state = machine.StartAt;
    this.#input = throughJson(input);
  }

  get state(): string {
    return this.#state;
  }

  /** Goes on from where it is to its end. Never settles when it is stopped on the way. */
  async run(): Promise<void> {
    this.status = 'running';
    const life = this.#life;
    for (;;) {
      const state = this.#machine.States[this.#state];
      if (state === undefined) throw new Error(`there is no state ${this.#state}`);
      await this.#parts.timeline.sleep(transitionMs);
      if (life !== this.#life) return stopped();
      this.#parts.history.tell(this.name, 'enters', () => this.#state);
      const next = await this.#step(state);
      if (life !== this.#life) return stopped();
      if (next === undefined) return;
      this.#state = next;
      this.#children = undefined;
    }
  }

  /** Stops it, as an operator does in the console. Functions that it invoked go on. */
  stop(): void {
    if (this.status !== 'running') return;
    this.#life += 1;
    this.status = 'aborted';
    this.#parts.history.tell(this.name, 'is stopped in', () => this.#state);
    for (const child of this.#children ?? []) child.stop();
  }

  /** Goes on from the state that it failed or was stopped in; a Map's children that succeeded are left alone. */
  async redrive(): Promise<void> {
    if (this.status !== 'failed' && this.status !== 'aborted') return;
    this.#life += 1;
    this.#parts.history.tell(this.name, 'is redriven in', () => this.#state);
    await this.run();
  }

  /** Does one state; undefined when it is the last. */
  async #step(state: State): Promise<string | undefined> {
    switch (state.Type) {
      case 'Succeed':
        this.#end('succeeded');
        return undefined;
      case 'Fail':
        this.#end('failed');
        return undefined;
      case 'Choice': {
        const found = state.Choices.find(
          ({ Variable, StringEquals }) => at(Variable, this.#input, this.#context) === StringEquals,
        );
        return found?.Next ?? state.Default;
      }
      case 'Wait': {
        const seconds = state.Seconds ?? at(state.SecondsPath ?? '', this.#input, this.#context);
        if (typeof seconds !== 'number') throw new Error(`${this.#state} waits for no number of seconds`);
        await this.#parts.timeline.sleep(seconds * 1000);
        return state.Next;
      }
      case 'Task': {
        const life = this.#life;
        const outcome = await this.#task(state);
        // What a Task answers that was begun before a stop is nobody's input any more.
        return life === this.#life ? this.#after(outcome, state) : stopped();
      }
      case 'Map':
        await this.#map(state);
        return state.Next;
    }
  }

  #end(status: 'succeeded' | 'failed'): void {
    this.status = status;
    this.#parts.history.tell(this.name, status, () => `in ${this.#state}`);
  }

  #after(
    outcome: Outcome,
    { Next, Catch }: { readonly Next: string; readonly Catch: readonly Catcher[] },
  ): string | undefined {
    if (outcome.kind === 'output') {
      this.#input = outcome.output;
      return Next;
    }
    const { failure } = outcome;
    const catcher = Catch.find((candidate) => matches(candidate, failure.Error));
    if (catcher === undefined) {
      this.#end('failed');
      return undefined;
    }
    this.#input = { ...Object(this.#input), [catcher.ResultPath.slice(2)]: failure };
    return catcher.Next;
  }

  /** A Task with its Retry: each retrier counts its own attempts. */
  async #task(state: TaskState): Promise<Outcome> {
    const life = this.#life;
    const retries = new Map<Retrier, number>();
    for (;;) {
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

  async #attempt({ Resource, TimeoutSeconds, Parameters }: TaskState): Promise<Outcome> {
    const { timeline, invoke, onTask } = this.#parts;
    const input = Parameters === undefined ? this.#input : fill(Parameters, this.#input, this.#context);
    onTask(this.#context.executionName, Resource);
    const timedOut = (): Outcome => ({ kind: 'error', failure: { Error: 'States.Timeout', Cause: '' } });
    return new Promise((resolve) => {
      timeline.in(TimeoutSeconds * 1000, () => resolve(timedOut()));
      invoke(Resource, throughJson(input), this.name).then((ended) => resolve(outcomeOf(ended)));
    });
  }

  /** The children of a Distributed Map, so many at a time. Their failures are tolerated; what they answer is written away. */
  async #map(state: MapState): Promise<void> {
    const { readItems } = this.#parts;
    const { Parameters } = state.ItemReader;
    if (this.#children === undefined) {
      const key = at(Parameters['Key.$'], this.#input, this.#context);
      this.#children = readItems(String(key)).map((item, index) => {
        const context = { ...this.#context, item };
        const input = fill(state.ItemSelector, this.#input, context);
        const child = new Execution(this.#parts, state.ItemProcessor, context, `${this.name}.${index + 1}`, input);
        child.status = 'aborted';
        return child;
      });
    }
    const waiting = this.#children.filter(({ status }) => status !== 'succeeded');
    const worker = async (): Promise<void> => {
      for (let child = waiting.shift(); child !== undefined; child = waiting.shift()) await child.#goOn();
    };
    await Promise.all(Array.from({ length: state.MaxConcurrency }, worker));
  }

  async #goOn(): Promise<void> {
    this.#life += 1;
    await this.run();
  }
}

const stopped = (): Promise<never> => new Promise(() => {});

const outcomeOf = (ended: Ended<unknown>): Outcome => {
  switch (ended.kind) {
    case 'answered':
      return { kind: 'output', output: throughJson(ended.value) };
    case 'failed': {
      const [name, cause] = ended.error instanceof Error ? [ended.error.name, ended.error.message] : ['Error', ''];
      return { kind: 'error', failure: { Error: name, Cause: cause } };
    }
    case 'gone':
      return { kind: 'error', failure: { Error: gone[ended.cause], Cause: '' } };
  }
};
