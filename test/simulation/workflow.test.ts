import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../infra/workflow/language.ts';
import type { ExecutionParts } from './workflow/execution.ts';
import { Execution } from './workflow/execution.ts';
import { History } from './world/history.ts';
import { Timeline } from './world/timeline.ts';

/** A scripted invocation: it answers immediately, after some seconds, or fails with an error's name. */
type Scripted = { readonly answer?: object; readonly afterSeconds?: number; readonly error?: string };

interface Scene {
  readonly functions?: Readonly<Record<string, readonly Scripted[]>>;
  readonly input?: object;
  readonly items?: readonly unknown[];
  readonly mostEvents?: number;
}

/** Starts a machine of these states, at the first one, with scripted functions. */
const start = (
  states: Readonly<Record<string, object>>,
  { functions = {}, input = {}, items = [], mostEvents }: Scene,
) => {
  const timeline = new Timeline(0);
  const began: string[] = [];
  const inputs: unknown[] = [];
  const broken: string[] = [];
  const counts = new Map<string, number>();
  const invoke: ExecutionParts['invoke'] = async (task, given) => {
    began.push(`${Math.floor(timeline.now / 1000)} ${task}`);
    inputs.push(given);
    const count = counts.get(task) ?? 0;
    counts.set(task, count + 1);
    const scripted = functions[task] ?? [];
    const { answer = {}, afterSeconds = 0, error } = scripted[Math.min(count, scripted.length - 1)] ?? {};
    await timeline.sleep(afterSeconds * 1000);
    return error === undefined
      ? { kind: 'answered', value: answer }
      : { kind: 'failed', error: Object.assign(new Error(''), { name: error }) };
  };
  const parts: ExecutionParts = {
    timeline,
    history: new History(timeline, false),
    invoke,
    readItems: () => items,
    onTask: () => {},
    onBroken: (_name, failure) => broken.push(failure.Error),
    ...(mostEvents === undefined ? {} : { mostEvents }),
  };
  const machine = parseMachine({ StartAt: Object.keys(states)[0], States: states });
  const execution = new Execution(parts, machine, { executionName: 'b-2' }, 'b-2', input);
  void execution.run();
  const untilOver = async () => {
    await timeline.run(100_000, () => execution.status !== 'running');
    return { began, inputs, broken, status: execution.status, state: execution.state, output: execution.output };
  };
  return { timeline, execution, untilOver };
};

const run = (states: Readonly<Record<string, object>>, scene: Scene = {}) => start(states, scene).untilOver();

const task = (name: string, fields: object = { End: true }) => ({
  Type: 'Task',
  Resource: name,
  TimeoutSeconds: 100,
  ...fields,
});
const branch = (states: Readonly<Record<string, object>>) => ({ StartAt: Object.keys(states)[0], States: states });
const parallel = (branches: readonly object[], fields: object = { End: true }) => ({
  Type: 'Parallel',
  Branches: branches,
  ...fields,
});
const caught = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Caught' }];
const loop = {
  Do: task('Do', { Next: 'Again?' }),
  'Again?': {
    Type: 'Choice',
    Choices: [{ Variable: '$.next', StringEquals: 'wait', Next: 'Rest' }],
    Default: 'Done',
  },
  Rest: { Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Do' },
  Done: { Type: 'Succeed' },
};

describe('a Parallel', () => {
  const two = [branch({ A: task('A') }), branch({ B: task('B', { Next: 'C' }), C: task('C') })];

  it('runs its branches concurrently and returns the output of each', async () => {
    const functions = {
      A: [{ answer: { a: 1 }, afterSeconds: 30 }],
      B: [{ afterSeconds: 5 }],
      C: [{ answer: { c: 2 } }],
    };
    const { began, output, status } = await run({ P: parallel(two) }, { functions });
    expect(began).toEqual(['0 A', '0 B', '5 C']);
    expect(output).toEqual([{ a: 1 }, { c: 2 }]);
    expect(status).toBe('succeeded');
  });

  it('passes on the output of the branch that OutputPath chooses', async () => {
    const functions = { A: [{ answer: { a: 1 } }], C: [{ answer: { c: 2 } }] };
    const { output } = await run({ P: parallel(two, { OutputPath: '$[1]', End: true }) }, { functions });
    expect(output).toEqual({ c: 2 });
  });

  it('stops the other branch when one fails, and goes to its Catch', async () => {
    const functions = { A: [{ error: 'Bad', afterSeconds: 10 }], B: [{ afterSeconds: 20 }] };
    const states = { P: parallel(two, { Catch: caught, Next: 'Other' }), Other: task('Other'), Caught: task('Caught') };
    const { began, inputs } = await run(states, { functions });
    expect(began).toEqual(['0 A', '0 B', '10 Caught']);
    expect(inputs.at(-1)).toEqual({ error: { Error: 'Bad', Cause: '' } });
  });

  it('fails without a Catch, and a redrive does not repeat the branch that succeeded', async () => {
    const functions = { A: [{}], B: [{ error: 'Bad', afterSeconds: 10 }, {}] };
    const { execution, untilOver } = start({ P: parallel(two) }, { functions });
    expect((await untilOver()).status).toBe('failed');
    void execution.redrive();
    const { began, status } = await untilOver();
    expect(began).toEqual(['0 A', '0 B', '10 B', '10 C']);
    expect(status).toBe('succeeded');
  });

  it('stops in all its branches, and continues in those that had not ended', async () => {
    const functions = { A: [{ afterSeconds: 1 }], B: [{ afterSeconds: 30 }] };
    const { timeline, execution, untilOver } = start({ P: parallel(two) }, { functions });
    timeline.in(10_000, () => execution.stop());
    expect((await untilOver()).status).toBe('aborted');
    timeline.in(50_000, () => void execution.redrive());
    await timeline.run(1_000, () => execution.status === 'succeeded');
    expect((await untilOver()).began).toEqual(['0 A', '0 B', '60 B', '90 C']);
  });
});

describe('a Choice', () => {
  const chosen = async (rule: object, input: object) =>
    (
      await run(
        {
          Which: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], Default: 'No' },
          Yes: { Type: 'Succeed' },
          No: { Type: 'Succeed' },
        },
        { input },
      )
    ).state;
  it.each([
    [{ Variable: '$.n', NumericGreaterThan: 0 }, { n: 1 }, 'Yes'],
    [{ Variable: '$.n', NumericGreaterThan: 0 }, { n: 0 }, 'No'],
    [{ Variable: '$.n', NumericGreaterThan: 0 }, { n: '1' }, 'No'],
    [{ Variable: '$.n', NumericEquals: 2 }, { n: 2 }, 'Yes'],
    [{ Variable: '$.n', NumericEquals: 2 }, { n: '2' }, 'No'],
    [{ Variable: '$.n', StringEquals: '2' }, { n: '2' }, 'Yes'],
    [{ Variable: '$.n', StringEquals: '2' }, { n: 2 }, 'No'],
  ])('takes %j of %j as %s', async (rule, input, state) => {
    expect(await chosen(rule, input)).toBe(state);
  });

  it('fails the execution when it reads a missing field', async () => {
    const which = { Type: 'Choice', Choices: [{ Variable: '$.next', StringEquals: 'on', Next: 'On' }], Default: 'On' };
    const { status, broken } = await run({ Which: which, On: { Type: 'Succeed' } });
    expect(status).toBe('failed');
    expect(broken).toEqual(['States.Runtime']);
  });
});

describe('the rest of the language', () => {
  it('keeps the input of a Task whose Catch places the error nowhere', async () => {
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Caught' }];
    const states = { P: task('P', { Catch, Next: 'Other' }), Other: task('Other'), Caught: task('Caught') };
    const { inputs } = await run(states, { functions: { P: [{ error: 'Bad' }] }, input: { batchId: 'b' } });
    expect(inputs).toEqual([{ batchId: 'b' }, { batchId: 'b' }]);
  });

  it('ends an execution in the same Fail state when it is redriven from there, without repeating earlier states', async () => {
    const states = {
      P: task('P', { Catch: caught, Next: 'Other' }),
      Other: task('Other'),
      Caught: { Type: 'Fail', Error: 'E', Cause: 'C' },
    };
    const { execution, untilOver } = start(states, { functions: { P: [{ error: 'Bad' }, {}] } });
    expect((await untilOver()).status).toBe('failed');
    void execution.redrive();
    const { began, status } = await untilOver();
    expect(began).toEqual(['0 P']);
    expect(status).toBe('failed');
  });

  it('puts the result of a Pass into a field', async () => {
    const states = { Passed: { Type: 'Pass', Result: { n: 1 }, ResultPath: '$.passed', End: true } };
    expect((await run(states, { input: { batchId: 'b' } })).output).toEqual({ batchId: 'b', passed: { n: 1 } });
  });

  it('gives a Task its Parameters, and keeps its input when ResultPath is null', async () => {
    const Parameters = { 'execution.$': '$$.Execution.Name', first: { 'row.$': '$.rows[0].n' } };
    const input = { rows: [{ n: 7 }] };
    const { inputs, output } = await run({ A: task('A', { Parameters, ResultPath: null, End: true }) }, { input });
    expect(inputs).toEqual([{ execution: 'b-2', first: { row: 7 } }]);
    expect(output).toEqual(input);
  });

  it('runs a limited number of looping Map children at a time, each independently', async () => {
    const map = {
      Type: 'Map',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { Bucket: 'files', 'Key.$': '$.manifestKey' },
      },
      ItemSelector: { 'chunk.$': '$$.Map.Item.Value.chunk' },
      MaxConcurrency: 1,
      ToleratedFailurePercentage: 100,
      Label: 'Chunks',
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...branch(loop) },
      ResultWriter: { Resource: 'arn:aws:states:::s3:putObject', Parameters: {} },
      ResultPath: null,
      End: true,
    };
    const functions = { Do: [{ answer: { next: 'wait', waitSeconds: 7 } }, { answer: { next: 'done' } }] };
    const items = [{ chunk: 4 }, { chunk: 9 }];
    const input = { manifestKey: 'm' };
    const { began, inputs, output } = await run({ Map: map }, { functions, items, input });
    expect(began).toEqual(['0 Do', '7 Do', '7 Do']);
    expect(inputs).toEqual([{ chunk: 4 }, { next: 'wait', waitSeconds: 7 }, { chunk: 9 }]);
    expect(output).toEqual(input);
  });

  it('ends an execution whose history is full, past any Catch', async () => {
    const functions = { Do: [{ answer: { next: 'wait', waitSeconds: 1 } }] };
    const states = { P: parallel([branch(loop)], { Catch: caught, End: true }), Caught: { Type: 'Succeed' } };
    const { began, status, broken } = await run(states, { functions, mostEvents: 100 });
    // One turn of the loop is a Task of five events, plus a Choice and a Wait of two each.
    expect(began).toHaveLength(11);
    expect(status).toBe('failed');
    expect(broken).toContain('States.Runtime');
  });
});
