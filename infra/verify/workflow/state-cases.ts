import * as z from 'zod';
import type { ChoiceState, MapState, ParallelState, Retrier, TaskState } from '../../workflow/language.ts';
import { matches, nextOf } from '../../workflow/language.ts';
import type { PlacedState } from '../../workflow/states-of.ts';
import { statesOf } from '../../workflow/states-of.ts';

/** The expected answer of an interpreter. Only the given fields are compared, and `nextState` always. */
export interface ExpectedAnswer {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'RETRIABLE' | 'CAUGHT_ERROR';
  readonly nextState?: string;
  readonly error?: string;
  readonly output?: unknown;
  /** The input of a task. */
  readonly parameters?: unknown;
  readonly retry?: { readonly index: number; readonly seconds: number };
}

/** One question to an interpreter of the workflow: how does this state behave? */
export interface StateCase {
  /** `PlanBatch: answers`. */
  readonly name: string;
  readonly place: PlacedState;
  readonly input: Readonly<Record<string, unknown>>;
  /** The result or the error of the task, the map or the branches. */
  readonly mock?: { readonly result: unknown } | { readonly error: string; readonly causedBy?: string };
  /** Retries before this one. */
  readonly retries?: number;
  /** The items that a Distributed Map read, and how many of its children failed. */
  readonly children?: { readonly items: readonly unknown[]; readonly failed: number };
  readonly expected: ExpectedAnswer;
  /** Why the local AWS cannot answer it, if it cannot. */
  readonly onlyOnAws?: string;
}

/** The context object, since TestState runs no execution. */
export const mockedContext = {
  Execution: { Id: 'arn:aws:states:us-east-1:000000000000:execution:batch:01VERIFY', Name: '01VERIFY' },
  StateMachine: { Id: 'arn:aws:states:us-east-1:000000000000:stateMachine:batch', Name: 'batch' },
} as const;

const fields = z.record(z.string(), z.unknown());

/** Input for every state. Wait states wait one second. */
const input = {
  batchId: '01VERIFY',
  manifestKey: 'batches/01VERIFY/plan-1/manifest.json',
  round: 1,
  sweeps: 0,
  chunk: '0001',
  waitSeconds: 1,
  next: 'decided',
  error: { Error: 'Before', Cause: 'another state failed' },
} as const;

/** An error that no state names. */
const anyError = 'SomethingBroke';

/** The cause of every mocked error. */
export const mockedCause = 'mocked';

const noMap = 'its TestState has no Map';
const noParallel = 'its TestState has no Parallel';
const catchesFirst = 'its TestState applies Catch before Retry';

/**
 * Questions about each state of a workflow, with the answers by the Amazon States Language. They cover every way out of a
 * Choice, every retried error with its interval, and every Catch. They also cover the input of each task and of the next state.
 *
 * @param definition the deployed workflow's JSON
 */
export const casesOf = (definition: string): readonly StateCase[] =>
  // Taken apart so that the compiler narrows `state`.
  statesOf(definition).flatMap(({ name, state, part }) => {
    switch (state.Type) {
      case 'Choice':
        return choiceCases({ name, state, part });
      case 'Task':
        return taskCases({ name, state, part });
      case 'Parallel':
        return parallelCases({ name, state, part });
      case 'Map':
        return mapCases({ name, state, part });
      default:
        return [plainCase({ name, state, part })];
    }
  });

const choiceCases = (place: PlacedState<ChoiceState>): readonly StateCase[] => {
  const { Choices, Default } = place.state;
  const [first] = Choices;
  if (first === undefined) throw new Error(`${place.name} has no choices`);
  const choose = (what: string, value: string | number, nextState: string): StateCase => {
    const chosen = { ...input, [first.Variable.slice(2)]: value };
    const expected = { status: 'SUCCEEDED', nextState, output: chosen } as const;
    return { name: `${place.name} ${what}`, place, input: chosen, expected };
  };
  const numbers = Choices.flatMap(({ NumericEquals, NumericGreaterThan }) => NumericEquals ?? NumericGreaterThan ?? []);
  return [
    ...Choices.map(({ StringEquals, NumericEquals, NumericGreaterThan = 0, Next }) => {
      const value = StringEquals ?? NumericEquals ?? NumericGreaterThan + 1;
      return choose(`Is "${value}"`, value, Next);
    }),
    choose('Is unknown', numbers.length === 0 ? 'unknown to this version' : Math.min(...numbers) - 1, Default),
  ];
};

/** Wait, Pass, Succeed and Fail need no mock. */
const plainCase = (place: PlacedState): StateCase => {
  const { state } = place;
  const expected: ExpectedAnswer =
    state.Type === 'Fail'
      ? { status: 'FAILED', error: state.Error }
      : succeeding(place, state.Type === 'Pass' ? placed(state.ResultPath, state.Result) : input);
  return { name: `${place.name}: goes on`, place, input, expected };
};

const taskCases = (place: PlacedState<TaskState>): readonly StateCase[] => [
  answeredTask(place),
  failedTask(place),
  ...retriedTasks(place),
];

const answeredTask = (place: PlacedState<TaskState>): StateCase => {
  const { Parameters, ResultPath } = place.state;
  const result = { ...input, next: 'answered' };
  const parameters = Parameters === undefined ? input : filled(Parameters);
  const expected = { ...succeeding(place, placed(ResultPath, result)), parameters };
  return { name: `${place.name}: answers`, place, input, mock: { result }, expected };
};

/** Applies ResultPath: only the result, only the input, or the result in a field of the input. */
const placed = (resultPath: string | null | undefined, result: unknown): unknown => {
  if (resultPath === undefined || resultPath === '$') return result;
  return resultPath === null ? input : { ...input, [resultPath.slice(2)]: result };
};

/** Resolves the paths in parameters: `$.` in the input, `$$.` in the context. */
const filled = (parameters: Readonly<Record<string, unknown>>): unknown => {
  const lookUp = (path: string): unknown => {
    const inContext = path.startsWith('$$.');
    const steps = path.slice(inContext ? 3 : 2).split('.');
    return steps.reduce<unknown>((value, step) => fields.parse(value)[step], inContext ? mockedContext : input);
  };
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) =>
      key.endsWith('.$') ? [key.slice(0, -2), lookUp(String(value))] : [key, value],
    ),
  );
};

/** The first entry of Retry that takes the error. */
const retrierOf = ({ state }: PlacedState<TaskState>, error: string): Retrier | undefined =>
  state.Retry.find((retrier) => matches(retrier, error));

/** After its last retry an error is caught, or fails the state. */
const failedTask = (place: PlacedState<TaskState>): StateCase => {
  const retrier = retrierOf(place, anyError);
  return {
    name: `${place.name}: fails`,
    place,
    input,
    mock: { error: anyError },
    ...(retrier === undefined ? {} : { retries: retrier.MaxAttempts }),
    expected: failing(place),
  };
};

const succeeding = ({ state }: PlacedState, output: unknown): ExpectedAnswer => {
  const next = nextOf(state);
  return { status: 'SUCCEEDED', ...(next === undefined ? {} : { nextState: next }), output };
};

const failing = ({ state }: PlacedState<TaskState | ParallelState>, error = anyError): ExpectedAnswer => {
  const caught = state.Catch.find((catcher) => matches(catcher, error));
  if (caught === undefined) return { status: 'FAILED', error };
  const output = placed(caught.ResultPath, { Error: error, Cause: mockedCause });
  return { status: 'CAUGHT_ERROR', nextState: caught.Next, error, output };
};

/** Each error of each entry of Retry: its first and its last retry, or that it has none. */
const retriedTasks = (place: PlacedState<TaskState>): readonly StateCase[] => {
  const { Retry, Catch } = place.state;
  const named = new Set(Retry.flatMap(({ ErrorEquals }) => ErrorEquals));
  return [...named].flatMap((name): StateCase | readonly StateCase[] => {
    const error = name === 'States.TaskFailed' ? anyError : name;
    const retrier = retrierOf(place, error);
    if (retrier === undefined) return [];
    const asked = { place, input, mock: { error } };
    const { IntervalSeconds, BackoffRate, MaxAttempts } = retrier;
    if (MaxAttempts === 0)
      return { ...asked, name: `${place.name}: does not retry ${name}`, retries: 0, expected: failing(place, error) };
    return [0, MaxAttempts - 1].map((retries) => ({
      ...asked,
      name: `${place.name}: retries ${name} (${retries} retries before)`,
      retries,
      expected: {
        status: 'RETRIABLE',
        error,
        retry: { index: Retry.indexOf(retrier), seconds: IntervalSeconds * BackoffRate ** retries },
      } as const,
      ...(Catch.length === 0 ? {} : { onlyOnAws: catchesFirst }),
    }));
  });
};

const parallelCases = (place: PlacedState<ParallelState>): readonly StateCase[] => {
  const { Branches, OutputPath } = place.state;
  const result = Branches.map((_, branch) => ({ ...input, next: `of branch ${branch}` }));
  const chosen = /^\$\[(\d+)\]$/.exec(OutputPath ?? '')?.[1];
  const output = chosen === undefined ? result : result[Number(chosen)];
  const [causedBy = ''] = Branches.map(({ StartAt }) => StartAt);
  const asked = { place, input, onlyOnAws: noParallel };
  return [
    { ...asked, name: `${place.name}: its branches end`, mock: { result }, expected: succeeding(place, output) },
    { ...asked, name: `${place.name}: a branch fails`, mock: { error: anyError, causedBy }, expected: failing(place) },
  ];
};

/** The round ends even if all children fail. */
const mapCases = (place: PlacedState<MapState>): readonly StateCase[] => {
  const items = ['0001', '0002'].map((chunk) => ({ chunk }));
  const result = {
    MapRunArn: `${mockedContext.Execution.Id}:run`,
    ResultWriterDetails: { Bucket: 'bucket', Key: 'key' },
  };
  return [0, items.length].map((failed) => ({
    name: `${place.name}: ends with ${failed} of ${items.length} children failed`,
    place,
    input,
    mock: { result },
    children: { items, failed },
    expected: succeeding(place, placed(place.state.ResultPath, result)),
    onlyOnAws: noMap,
  }));
};
