import * as z from 'zod';
import type { PlacedState, Retrier } from './states-of.ts';
import { statesOf } from './states-of.ts';

/** What an interpreter of the workflow has to answer. Fields that are left out are not looked at, but for `nextState`. */
export interface ExpectedAnswer {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'RETRIABLE' | 'CAUGHT_ERROR';
  readonly nextState?: string;
  readonly error?: string;
  readonly output?: unknown;
  /** What a task is called with. */
  readonly parameters?: unknown;
  readonly retry?: { readonly index: number; readonly seconds: number };
}

/** One question to an interpreter of the workflow: what it makes of a state. */
export interface StateCase {
  /** `PlanBatch: answers`. */
  readonly name: string;
  readonly place: PlacedState;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the task, the map or the branches are said to have answered, or to have failed with. */
  readonly mock?: { readonly result: unknown } | { readonly error: string; readonly causedBy?: string };
  /** How often the error was tried again before. */
  readonly retries?: number;
  /** What a Distributed Map is said to have read, and how many of its children to have failed. */
  readonly children?: { readonly items: readonly unknown[]; readonly failed: number };
  readonly expected: ExpectedAnswer;
  /** Why the local AWS cannot tell; left out where it can. */
  readonly onlyOnAws?: string;
}

/** What an execution is said to be called: TestState runs none. */
export const mockedContext = {
  Execution: { Id: 'arn:aws:states:us-east-1:000000000000:execution:batch:01VERIFY', Name: '01VERIFY' },
  StateMachine: { Id: 'arn:aws:states:us-east-1:000000000000:stateMachine:batch', Name: 'batch' },
} as const;

const fields = z.record(z.string(), z.unknown());

/** What every state gets. Wait states wait a second. */
const input = {
  batchId: '01VERIFY',
  manifestKey: 'batches/01VERIFY/plan-1/manifest.json',
  round: 1,
  sweeps: 0,
  cursor: 'none',
  chunk: '0001',
  waitSeconds: 1,
  next: 'decided',
  error: { Error: 'Before', Cause: 'what another state failed with' },
} as const;

/** An error that no state names. */
const anyError = 'SomethingBroke';

/** What a mocked error is said to come of. */
export const mockedCause = 'mocked';

const noMap = 'its TestState knows no Map';
const noParallel = 'its TestState knows no Parallel';
const catchesFirst = 'its TestState looks for a Catch before a Retry';

/**
 * What has to hold of each state of a workflow, by the rules of the Amazon States Language: every way out of a Choice, every
 * error that is tried again and how late, what is caught, what a task is called with, what goes on to the next state.
 *
 * @param definition the workflow's JSON, as it is deployed
 */
export const casesOf = (definition: string): readonly StateCase[] =>
  statesOf(definition).flatMap((place) => {
    switch (place.state.Type) {
      case 'Choice':
        return choiceCases(place);
      case 'Task':
        return [answeredTask(place), failedTask(place), ...retriedTasks(place)];
      case 'Parallel':
        return parallelCases(place);
      case 'Map':
        return mapCases(place);
      default:
        return [plainCase(place)];
    }
  });

const choiceCases = (place: PlacedState): readonly StateCase[] => {
  const { Choices = [], Default } = place.state;
  const [first] = Choices;
  if (first === undefined || Default === undefined) throw new Error(`${place.name} has no choices, or no default`);
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

/** Wait, Pass, Succeed and Fail take no mock. */
const plainCase = (place: PlacedState): StateCase => {
  const { Type, Next, Result, ResultPath, Error: error = '' } = place.state;
  const expected: ExpectedAnswer =
    Type === 'Fail'
      ? { status: 'FAILED', error }
      : {
          status: 'SUCCEEDED',
          ...(Next === undefined ? {} : { nextState: Next }),
          output: Type === 'Pass' ? placed(ResultPath, Result) : input,
        };
  return { name: `${place.name}: goes on`, place, input, expected };
};

const answeredTask = (place: PlacedState): StateCase => {
  const { Next, Parameters, ResultPath } = place.state;
  const result = { ...input, next: 'answered' };
  const expected = {
    status: 'SUCCEEDED',
    ...(Next === undefined ? {} : { nextState: Next }),
    output: placed(ResultPath, result),
    parameters: Parameters === undefined ? input : filled(Parameters),
  } as const;
  return { name: `${place.name}: answers`, place, input, mock: { result }, expected };
};

/** The result alone, the input alone, or the result in a field of it. */
const placed = (resultPath: string | null | undefined, result: unknown): unknown => {
  if (resultPath === undefined || resultPath === '$') return result;
  return resultPath === null ? input : { ...input, [resultPath.slice(2)]: result };
};

/** Parameters with their paths looked up: `$.` in the input, `$$.` in the context. */
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

/** The first entry of Retry that an error is tried again by. `States.TaskFailed` is every error but a timeout. */
const retrierOf = ({ state }: PlacedState, error: string): Retrier | undefined =>
  state.Retry?.find(
    ({ ErrorEquals }) =>
      ErrorEquals.includes(error) ||
      ErrorEquals.includes('States.ALL') ||
      (ErrorEquals.includes('States.TaskFailed') && error !== 'States.Timeout'),
  );

/** An error that was tried as often as it may be: it is caught, or fails the state. */
const failedTask = (place: PlacedState): StateCase => {
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

const failing = ({ state }: PlacedState): ExpectedAnswer => {
  const [caught] = state.Catch ?? [];
  if (caught === undefined) return { status: 'FAILED', error: anyError };
  const output = placed(caught.ResultPath, { Error: anyError, Cause: mockedCause });
  return { status: 'CAUGHT_ERROR', nextState: caught.Next, error: anyError, output };
};

/** Each error of each entry of Retry: the first time, and the last time that it is tried again. */
const retriedTasks = (place: PlacedState): readonly StateCase[] => {
  const { Retry = [], Catch } = place.state;
  const named = new Set(Retry.flatMap(({ ErrorEquals }) => ErrorEquals));
  return [...named].flatMap((name) => {
    const error = name === 'States.TaskFailed' ? anyError : name;
    const retrier = retrierOf(place, error);
    if (retrier === undefined) return [];
    const { IntervalSeconds, BackoffRate, MaxAttempts } = retrier;
    return [0, MaxAttempts - 1].map((retries) => ({
      name: `${place.name}: is tried again after ${name} (${retries} times before)`,
      place,
      input,
      mock: { error },
      retries,
      expected: {
        status: 'RETRIABLE',
        error,
        retry: { index: Retry.indexOf(retrier), seconds: IntervalSeconds * BackoffRate ** retries },
      } as const,
      ...(Catch === undefined ? {} : { onlyOnAws: catchesFirst }),
    }));
  });
};

const parallelCases = (place: PlacedState): readonly StateCase[] => {
  const { Branches = [], Next, OutputPath } = place.state;
  const result = Branches.map((_, branch) => ({ ...input, next: `of branch ${branch}` }));
  const chosen = /^\$\[(\d+)\]$/.exec(OutputPath ?? '')?.[1];
  const output = chosen === undefined ? result : result[Number(chosen)];
  const [causedBy = ''] = Branches.map(({ StartAt }) => StartAt);
  return [
    {
      name: `${place.name}: its branches end`,
      place,
      input,
      mock: { result },
      expected: { status: 'SUCCEEDED', ...(Next === undefined ? {} : { nextState: Next }), output },
      onlyOnAws: noParallel,
    },
    {
      name: `${place.name}: a branch fails`,
      place,
      input,
      mock: { error: anyError, causedBy },
      expected: failing(place),
      onlyOnAws: noParallel,
    },
  ];
};

/** All children may fail, and the round is over all the same. */
const mapCases = (place: PlacedState): readonly StateCase[] => {
  const { Next, ResultPath } = place.state;
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
    expected: {
      status: 'SUCCEEDED',
      ...(Next === undefined ? {} : { nextState: Next }),
      output: placed(ResultPath, result),
    },
    onlyOnAws: noMap,
  }));
};
