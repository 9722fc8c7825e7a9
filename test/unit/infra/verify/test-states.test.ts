import { readFileSync } from 'node:fs';
import type { TestStateInput, TestStateOutput } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import type { StateCase } from '../../../../infra/verify/workflow/state-cases.ts';
import { casesOf } from '../../../../infra/verify/workflow/state-cases.ts';
import type { Interpreter } from '../../../../infra/verify/workflow/test-states.ts';
import { problemOf, testStates } from '../../../../infra/verify/workflow/test-states.ts';
import { nextOf } from '../../../../infra/workflow/language.ts';
import { statesOf } from '../../../../infra/workflow/states-of.ts';

// Numbers are placeholders without quotes, which JSON does not allow.
const definition = readFileSync(
  new URL('../../../../statemachines/batch.asl.json', import.meta.url),
  'utf8',
).replaceAll(/: \$\{\w+\}/g, ': 4');
const cases = casesOf(definition);
const casesFor = (name: string) => cases.filter(({ place }) => place.name === name);

/** Gives the case's expected answer, with some changes. */
const answering =
  ({ expected }: StateCase, changed: TestStateOutput = {}): Interpreter =>
  () =>
    Promise.resolve({
      status: expected.status,
      ...(expected.nextState === undefined ? {} : { nextState: expected.nextState }),
      ...(expected.error === undefined ? {} : { error: expected.error }),
      output: JSON.stringify(expected.output ?? {}),
      inspectionData: {
        afterParameters: JSON.stringify(expected.parameters ?? {}),
        errorDetails: {
          retryIndex: expected.retry?.index,
          retryBackoffIntervalSeconds: expected.retry?.seconds,
        },
      },
      ...changed,
    });

describe('the questions about a workflow', () => {
  it('cover every state, in any branch or map', () => {
    const asked = new Set(cases.map(({ place }) => place.name));
    expect(statesOf(definition).filter(({ name }) => !asked.has(name))).toEqual([]);
    expect(asked).toContain('SubmitChunk');
  });

  it('take every way out of each choice, and the default', () => {
    for (const { name, state } of statesOf(definition)) {
      if (state.Type !== 'Choice') continue;
      const ways = [...state.Choices.map(({ Next }) => Next), state.Default];
      expect(casesFor(name).map(({ expected }) => expected.nextState)).toEqual(ways);
    }
  });

  it('give a choice an unknown input', () => {
    const unknown = casesFor('Is there something to submit?').at(-1);
    expect(unknown?.input['round']).toBe(-1);
    expect(unknown?.expected.nextState).toBe('UnknownRound');
  });

  it.each(['SubmitChunk', 'Convert'])('expect %s to be retried only if Lambda did not run it', (name) => {
    const retried = casesFor(name).filter(({ expected }) => expected.status === 'RETRIABLE');
    expect(new Set(retried.map(({ expected }) => expected.error))).toEqual(
      new Set(['Lambda.TooManyRequestsException', 'Lambda.ResourceNotReadyException']),
    );
    const failed = casesFor(name).find(({ name: what }) => what.endsWith(': fails'));
    expect(failed).not.toHaveProperty('retries');
  });

  it('expect no retry of an error that a state never retries', () => {
    const retried = casesFor('PlanBatch').filter(({ expected }) => expected.status === 'RETRIABLE');
    expect(new Set(retried.map(({ expected }) => expected.error))).toEqual(
      new Set(['Lambda.TooManyRequestsException', 'Lambda.ResourceNotReadyException', 'SomethingBroke']),
    );
    const caught = casesFor('PlanBatch').filter(({ name }) => name.includes('does not retry'));
    expect(caught.map(({ retries, expected }) => [retries, expected.status, expected.error])).toEqual([
      [0, 'CAUGHT_ERROR', 'InvariantBroken'],
      [0, 'CAUGHT_ERROR', 'CurrencyMismatch'],
      [0, 'CAUGHT_ERROR', 'FileAltered'],
      [0, 'CAUGHT_ERROR', 'AccountChanged'],
    ]);
  });

  it('expect waits that grow as the states’ comments say', () => {
    const waits = casesFor('EndSubmit').flatMap(({ expected }) => expected.retry?.seconds ?? []);
    expect(waits).toEqual([5, 320, 5, 320]);
  });

  it('expect a task to be called with its batch, its round and the name of the execution', () => {
    const [answered] = casesFor('EndSubmit');
    expect(answered?.expected.parameters).toEqual({ batchId: '01VERIFY', round: 1, execution: '01VERIFY' });
  });

  it('reject a workflow with an unchecked field', () => {
    const more = definition.replace('"Type": "Succeed",', '"Type": "Succeed", "InputPath": "$.other",');
    expect(() => casesOf(more)).toThrow('InputPath');
  });
});

describe('the answer of an interpreter', () => {
  it('is correct when it is as expected', async () => {
    for (const one of cases) expect(await problemOf(answering(one), one)).toBeUndefined();
  });

  it.each([
    ['another next state', 'Convert', { nextState: 'Disburse' }],
    ['another status', 'Convert', { status: 'RETRIABLE' }],
    ['another output', 'PlanBatch', { output: '{"next":"another"}' }],
    ['another input of the task', 'Follow', { inspectionData: { afterParameters: '{}' } }],
    ['an end that has a next state', 'BatchEnded', { nextState: 'PlanBatch' }],
  ] as const)('is a problem when it has %s', async (_, name, changed) => {
    const [one] = casesFor(name);
    if (one === undefined) throw new Error(`there is no case for ${name}`);
    expect(await problemOf(answering(one, changed), one)).toContain(`${name}: `);
  });

  it('is a problem when it is retried later than defined', async () => {
    const one = casesFor('EndSubmit').find(({ expected }) => expected.status === 'RETRIABLE');
    if (one === undefined) throw new Error('EndSubmit is not tried again');
    const errorDetails = { retryIndex: 0, retryBackoffIntervalSeconds: 6 };
    expect(await problemOf(answering(one, { inspectionData: { errorDetails } }), one)).toContain('"seconds":6');
  });

  it('is a problem when it is refused', async () => {
    const [one] = cases;
    if (one === undefined) throw new Error('there are no cases');
    const refused = () => Promise.reject(new Error('State not found in definition'));
    expect(await problemOf(refused, one)).toContain('State not found in definition');
  });
});

describe('the states as a whole', () => {
  const placeOf = ({ stateName, definition: part }: TestStateInput) => {
    const found = statesOf(definition).find((place) => place.name === stateName && place.part === part);
    if (found === undefined) throw new Error(`the workflow has no state ${stateName}`);
    return found;
  };

  /** Follows the definition as far as the paths of unknown decisions need. */
  const walking =
    (change: (question: TestStateInput, answer: TestStateOutput) => TestStateOutput): Interpreter =>
    (question) => {
      const { state } = placeOf(question);
      const following = nextOf(state);
      const status = state.Type === 'Fail' ? 'FAILED' : 'SUCCEEDED';
      const next = following === undefined ? {} : { nextState: following };
      return Promise.resolve(change(question, { status, output: '{}', ...next }));
    };

  it('lead an unknown decision to a failure', async () => {
    const { problems } = await testStates(
      walking((_, answer) => answer),
      definition,
      true,
    );
    expect(problems.filter((line) => line.startsWith('An unknown decision'))).toEqual([]);
  });

  it('have a problem when an unknown decision succeeds, or never ends', async () => {
    const endsWell = walking(({ stateName }, answer) =>
      stateName === 'UnknownSweep' ? { status: 'SUCCEEDED', output: '{}' } : answer,
    );
    expect((await testStates(endsWell, definition, true)).problems).toContainEqual(
      'An unknown decision goes to UnknownSweep, which leads to SUCCEEDED.',
    );
    const circles = walking(({ stateName }, answer) =>
      stateName === 'RecordFailure' ? { ...answer, nextState: 'UnknownDecision' } : answer,
    );
    expect((await testStates(circles, definition, true)).problems).toContainEqual(
      'An unknown decision goes to UnknownDecision, which leads to no end within 10 states.',
    );
  });

  it('omit what the local AWS cannot answer, and nothing on an account', async () => {
    const asked: string[] = [];
    const noting: Interpreter = ({ stateName = '' }) => {
      asked.push(stateName);
      return Promise.reject(new Error('not looked at'));
    };
    const here = await testStates(noting, definition, true);
    expect(asked).not.toContain('Disburse');
    expect(here.leftOut.size).toBe(3);
    const there = await testStates(noting, definition, false);
    expect(asked).toContain('Disburse');
    expect(there.leftOut.size).toBe(0);
    expect(there.cases).toBe(cases.length);
  });
});
