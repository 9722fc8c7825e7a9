import { isDeepStrictEqual } from 'node:util';
import type { TestStateInput, TestStateOutput } from '@aws-sdk/client-sfn';
import { SFNClient, TestStateCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import type { PlacedState } from '../../workflow/states-of.ts';
import { statesOf } from '../../workflow/states-of.ts';
import type { ExpectedAnswer, StateCase } from './state-cases.ts';
import { casesOf, mockedCause, mockedContext } from './state-cases.ts';

const fields = z.record(z.string(), z.unknown());

/** Most states between an unknown decision and its end. */
const longestWayToFail = 10;

/** Interprets a workflow: TestState of the AWS that this process uses. */
export type Interpreter = (question: TestStateInput) => Promise<TestStateOutput>;

/**
 * AWS throttles TestState, so questions go one by one and are retried.
 *
 * @param isLocal leaves out the host prefix `sync-`, which only AWS has
 */
export const interpreter = (isLocal: boolean): Interpreter => {
  const sfn = new SFNClient({ maxAttempts: 12, disableHostPrefix: isLocal });
  return async (question) => await sfn.send(new TestStateCommand(question));
};

const ask = async (interpret: Interpreter, one: Omit<StateCase, 'name' | 'expected'>): Promise<TestStateOutput> => {
  const { place, input, mock, retries, children } = one;
  const causedBy = mock !== undefined && 'error' in mock ? mock.causedBy : undefined;
  const configuration = {
    ...(retries === undefined ? {} : { retrierRetryCount: retries }),
    ...(causedBy === undefined ? {} : { errorCausedByState: causedBy }),
    ...(children === undefined
      ? {}
      : { mapItemReaderData: JSON.stringify(children.items), mapIterationFailureCount: children.failed }),
  };
  return await interpret({
    definition: place.part,
    stateName: place.name,
    input: JSON.stringify(input),
    inspectionLevel: 'DEBUG',
    ...(mock === undefined ? {} : { mock: mockOf(mock), context: JSON.stringify(mockedContext) }),
    ...(Object.keys(configuration).length === 0 ? {} : { stateConfiguration: configuration }),
  });
};

const mockOf = (mock: NonNullable<StateCase['mock']>) =>
  'error' in mock
    ? { errorOutput: { error: mock.error, cause: mockedCause } }
    : { result: JSON.stringify(mock.result) };

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

/** The fields of the answer that are compared. */
const answered = (answer: TestStateOutput, expected: ExpectedAnswer): Partial<ExpectedAnswer> => {
  const { retryIndex, retryBackoffIntervalSeconds } = answer.inspectionData?.errorDetails ?? {};
  const all = {
    status: answer.status,
    nextState: answer.nextState,
    error: answer.error,
    output: parsed(answer.output),
    parameters: parsed(answer.inspectionData?.afterParameters),
    retry: { index: retryIndex, seconds: retryBackoffIntervalSeconds },
  };
  const compared = Object.entries(all).filter(([key]) => key in expected || (key === 'nextState' && all.nextState));
  return Object.fromEntries(compared);
};

/** Describes a wrong answer to a case. Undefined when the answer is right. */
export const problemOf = async (interpret: Interpreter, one: StateCase): Promise<string | undefined> => {
  const found = await ask(interpret, one).then(
    (answer) => answered(answer, one.expected),
    (error: unknown) => ({ refused: refusal(error) }),
  );
  if (isDeepStrictEqual(found, one.expected)) return undefined;
  return `${one.name}: ${JSON.stringify(found)} instead of ${JSON.stringify(one.expected)}`;
};

const refusal = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Follows the interpreter from a state, and returns how that ended: `FAILED` or `SUCCEEDED`. */
const endFrom = async (interpret: Interpreter, start: PlacedState, all: readonly PlacedState[]): Promise<string> => {
  let place = start;
  let input: Readonly<Record<string, unknown>> = { batchId: mockedContext.Execution.Name };
  for (let states = 0; states < longestWayToFail; states += 1) {
    const mock = place.state.Type === 'Task' ? { mock: { result: input } } : {};
    const { status, nextState, output } = await ask(interpret, { place, input, ...mock });
    if (nextState === undefined) return status ?? 'nothing';
    const next = all.find(({ name, part }) => name === nextState && part === place.part);
    if (next === undefined) return `${nextState}, which is no state`;
    place = next;
    input = fields.parse(parsed(output));
  }
  return `no end within ${longestWayToFail} states`;
};

/** Checks that a decision that no Choice knows always ends in a failure. */
const unknownDecisions = async (interpret: Interpreter, definition: string): Promise<readonly string[]> => {
  const all = statesOf(definition);
  const problems: string[] = [];
  const starts = all.filter(({ name, part }) =>
    all.some(({ state, part: where }) => state.Type === 'Choice' && state.Default === name && where === part),
  );
  for (const start of starts) {
    const end = await endFrom(interpret, start, all).catch(refusal);
    if (end !== 'FAILED') problems.push(`An unknown decision goes to ${start.name}, which leads to ${end}.`);
  }
  return problems;
};

/** What was tested of a workflow, and what is wrong with it. */
export interface TestedStates {
  readonly states: number;
  readonly cases: number;
  /** Number of cases that were left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

/**
 * Asks TestState about every state of a workflow.
 *
 * @param isLocal leaves out what the local AWS cannot answer
 */
export const testStates = async (
  interpret: Interpreter,
  definition: string,
  isLocal: boolean,
): Promise<TestedStates> => {
  const all = casesOf(definition);
  const asked = all.filter(({ onlyOnAws }) => !(isLocal && onlyOnAws !== undefined));
  const leftOut = all.flatMap(({ onlyOnAws }) => (isLocal && onlyOnAws !== undefined ? [onlyOnAws] : []));
  const problems: string[] = [];
  for (const one of asked) {
    const problem = await problemOf(interpret, one);
    if (problem !== undefined) problems.push(problem);
  }
  problems.push(...(await unknownDecisions(interpret, definition)));
  return {
    states: new Set(asked.map(({ place }) => `${place.part} ${place.name}`)).size,
    cases: asked.length,
    leftOut: new Map([...Map.groupBy(leftOut, (why) => why)].map(([why, some]) => [why, some.length])),
    problems,
  };
};
