import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorNames } from '../../../functions/domain/errors.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { awaitStart } from '../../../functions/steps/await-start.ts';
import type { followBatch } from '../../../functions/steps/follow.ts';
import type { awaitRelease } from '../../../functions/steps/funding/await-release.ts';
import type { convert } from '../../../functions/steps/funding/convert.ts';
import type { estimateBatchFees } from '../../../functions/steps/funding/estimate-fees.ts';
import type { planBatchFunding } from '../../../functions/steps/funding/plan-funding.ts';
import type { planBatch } from '../../../functions/steps/plan-batch.ts';
import type { reportBatch } from '../../../functions/steps/report-batch.ts';
import type { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import {
  postingFunctionSeconds,
  postingTaskSeconds,
  workflowSteps,
} from '../../../infra/function-table/workflow-steps.ts';
import type { Machine, Rule, State, TaskState } from '../../../infra/workflow/language.ts';
import { machinesIn, nextOf, parseMachine, targetsOf } from '../../../infra/workflow/language.ts';
import { statesOf } from '../../../infra/workflow/states-of.ts';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const asl = readFileSync(new URL('../../../statemachines/batch.asl.json', import.meta.url), 'utf8');
// Numbers are substitutions without quotes, which is not valid JSON.
const text = asl.replaceAll(/: \$\{\w+\}/g, ': 1');

const definition = parseMachine(JSON.parse(text));
const placed = statesOf(text);
const stateNamed = (name: string): State => {
  const found = placed.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the workflow has no state ${name}`);
  return found.state;
};
/** The states of a type, with their names. */
const ofType = <Type extends State['Type']>(type: Type) => {
  const isOfType = (state: State): state is Extract<State, { readonly Type: Type }> => state.Type === type;
  return placed.flatMap(({ name, state }) => (isOfType(state) ? [[name, state] as const] : []));
};
const tasks = ofType('Task');
const choices = ofType('Choice');
const taskNamed = (name: string): TaskState => {
  const state = stateNamed(name);
  if (state.Type !== 'Task') throw new Error(`${name} is no Task`);
  return state;
};
const [submit] = ofType('Map').map(([, state]) => state);
const [disburse] = ofType('Parallel').map(([, state]) => state);

const rulesOf = (name: string): readonly Rule[] => {
  const state = stateNamed(name);
  if (state.Type !== 'Choice') throw new Error(`${name} is no Choice`);
  return state.Choices;
};
const decidedBy = (name: string): readonly string[] => rulesOf(name).map(({ StringEquals = 'none' }) => StringEquals);

/** Every decision of a step, by its type. */
type Decisions<Step extends (...args: never[]) => Promise<{ readonly next: string }>> = Readonly<
  Record<Awaited<ReturnType<Step>>['next'], true>
>;
/** What countWaits adds to the decisions of a step. */
type HandOver = { readonly hand_over: true };

/** What the step of each task decides. The compiler compares it with the step. */
const decisions = {
  PlanBatch: { estimate: true, await_start: true, refused: true, ended: true } satisfies Decisions<typeof planBatch>,
  AwaitStart: { estimate: true, wait: true, rest: true, ended: true } satisfies Decisions<typeof awaitStart>,
  EstimateFees: { fund: true, wait: true, hand_over: true } satisfies Decisions<typeof estimateBatchFees> & HandOver,
  PlanFunding: {
    disburse: true,
    release: true,
    convert: true,
    wait: true,
    ended: true,
    hand_over: true,
  } satisfies Decisions<typeof planBatchFunding> & HandOver,
  AwaitRelease: {
    disburse: true,
    convert: true,
    wait: true,
    ended: true,
    refused: true,
    previewed: true,
    await: true,
    hand_over: true,
  } satisfies Decisions<typeof awaitRelease> & HandOver,
  Convert: { fund: true, wait: true, hand_over: true } satisfies Decisions<typeof convert> & HandOver,
  SubmitChunk: { submitted: true, wait: true } satisfies Decisions<typeof submitChunk>,
  Follow: {
    wait: true,
    go_on: true,
    report_interim: true,
    submit: true,
    report: true,
    hand_over: true,
  } satisfies Decisions<typeof followBatch>,
  ReportBatch: { ended: true, follow: true } satisfies Decisions<typeof reportBatch>,
};
const resources = resourcesOf(composed(), 'PayoutOrchestrator');

/** The states that can follow these, these included. */
const reachedFrom = (...names: readonly string[]): ReadonlySet<string> => {
  const reached = new Set(names);
  for (const name of reached) for (const next of targetsOf(stateNamed(name))) reached.add(next);
  return reached;
};

/** The tasks that a batch repeats while it waits for the provider, for money, or for a person. */
const repeatedWhileWaiting = tasks.flatMap(([name]) =>
  reachedFrom('EstimateFees').has(name) && reachedFrom(name).has('Convert') ? [name] : [],
);

/** Returns the name of a task's function. Several states may share one. */
const nameOf = ({ Resource }: TaskState): string => /^\$\{(\w+)Function\}$/.exec(Resource)?.[1] ?? 'none';

/** Returns a task's function, by the name of the substitution in the state machine's text. */
const functionOf = (task: TaskState) => {
  const found = resources.find(
    ({ Type, logicalId }) =>
      Type === 'AWS::Lambda::Function' && logicalId.replace(/[0-9A-F]{8}$/, '') === `BatchWorkflow${nameOf(task)}`,
  );
  return z.object({ Timeout: z.number() }).parse(found?.Properties);
};

describe('the workflow', () => {
  it.each(['SubmitChunk', 'Convert'])('repeats %s, which moves money, only if Lambda did not run it', (name) => {
    expect(taskNamed(name).Retry.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual([
      'Lambda.TooManyRequestsException',
      'Lambda.ResourceNotReadyException',
    ]);
  });

  it('does not repeat PlanBatch after an error at which a person has to look first', () => {
    const { invariantBroken, currencyMismatch, fileAltered, accountChanged } = errorNames;
    const retriers = taskNamed('PlanBatch').Retry;
    const placeOf = (name: string) => retriers.findIndex(({ ErrorEquals }) => ErrorEquals.includes(name));
    const place = placeOf(invariantBroken);
    const names = [invariantBroken, currencyMismatch, fileAltered, accountChanged];
    expect(retriers[place]).toMatchObject({ ErrorEquals: names, MaxAttempts: 0 });
    // The first entry that matches an error decides.
    expect(place).toBeLessThan(placeOf('States.TaskFailed'));
  });

  it.each(tasks)('gives %s ten to forty seconds more than its function', (_, task) => {
    expect(task.TimeoutSeconds).toBeGreaterThanOrEqual(functionOf(task).Timeout + 10);
    expect(task.TimeoutSeconds).toBeLessThanOrEqual(functionOf(task).Timeout + 40);
  });

  it.each(['SubmitChunk', 'Convert'])('nests the timeouts of %s: HTTP, function, task, lookup', (name) => {
    const settings = orchestratorSettings().parse({});
    const task = taskNamed(name);
    expect(task.TimeoutSeconds).toBe(postingTaskSeconds);
    expect(functionOf(task).Timeout).toBe(postingFunctionSeconds);
    expect(settings.httpTimeoutSeconds).toBeLessThan(postingFunctionSeconds);
    expect(postingTaskSeconds).toBeLessThan(settings.resolveAfterSeconds);
  });

  it.each(
    Object.entries(definition.States).filter(
      ([name, { Type }]) => name !== 'RecordFailure' && ['Task', 'Parallel', 'Map'].includes(Type),
    ),
  )('pauses the batch with a reason when %s fails with any error', (_, state) => {
    expect('Catch' in state && state.Catch).toEqual([
      expect.objectContaining({ ErrorEquals: ['States.ALL'], Next: 'RecordFailure' }),
    ]);
  });

  it('goes on following when interim reports cannot be written', () => {
    expect(taskNamed('ReportSoFar').Catch).toMatchObject([{ ErrorEquals: ['States.ALL'], Next: 'WaitToFollow' }]);
  });

  it.each(
    tasks.filter(([name]) => !['SubmitChunk', 'Convert', 'PlanBatch', 'EstimateFees', 'PlanFunding'].includes(name)),
  )('retries %s after a failure or timeout, because it moves no money', (_, { Retry }) => {
    expect(Retry.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual(['States.TaskFailed', 'States.Timeout']);
  });

  it.each(choices)('fails at "%s" on an unknown decision', (_, choice) => {
    const state = stateNamed(choice.Default);
    // At the top level the batch is paused with a reason, as after any failure. A branch or a child fails by itself.
    expect(state.Type === 'Pass' ? state.Next : state.Type).toBe(state.Type === 'Pass' ? 'RecordFailure' : 'Fail');
  });

  it('tolerates every failed chunk, because exceeding the limit would stop others in the middle of a call', () => {
    expect(submit).toMatchObject({ ToleratedFailurePercentage: 100, ResultPath: null });
  });

  it('gives the Distributed Map plain fields, because only AWS evaluates functions in its reader and writer', () => {
    const { ItemReader, ItemSelector, ResultWriter } = submit ?? {};
    expect(JSON.stringify([ItemReader, ItemSelector, ResultWriter])).not.toContain('States.');
    expect(ResultWriter?.Parameters).toMatchObject({ Prefix: 'map-results' });
  });

  it('submits and follows concurrently, and continues with the decision of Follow', () => {
    const [submitting, following] = disburse?.Branches ?? [];
    expect(Object.keys(submitting?.States ?? {})).toEqual(expect.arrayContaining(['Submit', 'EndSubmit']));
    expect(following?.StartAt).toBe('Follow');
    expect(disburse).toMatchObject({ OutputPath: '$[1]', Next: 'What is left to do?' });
  });

  it('frees a child’s place in Submit while the provider works: it has one task, and waits only for its turn', () => {
    const children: Machine['States'] = submit?.ItemProcessor.States ?? {};
    const types = Object.entries(children).map(([name, { Type }]) => `${Type} ${name}`);
    expect(types.filter((line) => /^(Task|Wait)/.test(line)).sort()).toEqual(['Task SubmitChunk', 'Wait WaitForTurn']);
    expect(nextOf(stateNamed('WaitForTurn'))).toBe('SubmitChunk');
  });

  it('ends a round only after its last child', () => {
    expect(submit?.Next).toBe('EndSubmit');
    expect(taskNamed('EndSubmit').End).toBe(true);
  });

  it.each(Object.entries(decisions))('has a choice for every decision of %s, and no other', (name, decided) => {
    expect(decidedBy(nextOf(stateNamed(name)) ?? 'none').toSorted()).toEqual(Object.keys(decided).toSorted());
  });

  it('has a choice after each of these tasks, and after no other', () => {
    const isChoice = (name = 'none'): boolean => choices.some(([choice]) => choice === name);
    const deciding = tasks.filter(([, { Next }]) => isChoice(Next)).map(([name]) => name);
    expect(Object.keys(decisions).toSorted()).toEqual(deciding.toSorted());
  });

  it('leads from each decision to the same state, whichever Choice reads it, except "wait"', () => {
    const outside = Object.values(definition.States).flatMap((state) => (state.Type === 'Choice' ? state.Choices : []));
    const targets = Map.groupBy(outside, ({ StringEquals }) => StringEquals);
    const split = [...targets].filter(([, rules]) => new Set(rules.map(({ Next }) => Next)).size > 1);
    expect(split.map(([decision]) => decision)).toEqual(['wait']);
  });

  it('goes on outside with what ends the following', () => {
    const ends = rulesOf('Is something open?').filter(({ Next }) => Next === 'Followed');
    expect(decidedBy('What is left to do?')).toEqual(ends.map(({ StringEquals }) => StringEquals));
  });

  it.each(repeatedWhileWaiting)('has %s count the waits, deployed and in the simulation', (name) => {
    const row = Object.entries(workflowSteps).find(([step]) => step === name);
    const textOf = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    expect(textOf(row?.[1].entry ?? 'no function')).toMatch(new RegExp(`asWaitingStep\\(\\s*'${name}'`));
    expect(textOf('test/simulation/world/steps.ts')).toContain(`${name}: waitingStep(`);
    // They would leave the count out.
    expect(taskNamed(name)).not.toHaveProperty('Parameters');
  });

  it('repeats these steps while a batch waits', () => {
    expect(repeatedWhileWaiting).toEqual(expect.arrayContaining(['EstimateFees', 'PlanFunding', 'Convert']));
  });

  it('can reach every state', () => {
    const inside = placed.flatMap(({ state }) => machinesIn(state));
    const reached = reachedFrom(...[definition, ...inside].map(({ StartAt }) => StartAt));
    expect(placed.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('has exactly the substitutions that the stack provides', () => {
    const open = new Set([...asl.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
    const deployed = resources.find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine');
    const filled = z.record(z.string(), z.unknown()).parse(deployed?.Properties['DefinitionSubstitutions']);
    expect(Object.keys(filled).sort()).toEqual([...open].sort());
  });

  it('logs every state, but no input or output', () => {
    const deployed = resources.find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine');
    expect(deployed?.Properties['LoggingConfiguration']).toMatchObject({ Level: 'ALL', IncludeExecutionData: false });
  });

  it('has every task in the table of its README', () => {
    const readme = readFileSync(new URL('../../../statemachines/README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('|'));
    const named = new Set(rows.join('\n').match(/\b[A-Z][A-Za-z]+\b/g));
    expect(tasks.map(([, task]) => nameOf(task)).filter((name) => !named.has(name))).toEqual([]);
  });

  it('has a file of steps for every task', () => {
    const files = ['', '/funding'].flatMap((folder) =>
      readdirSync(new URL(`../../../functions/steps${folder}`, import.meta.url)),
    );
    const expected = tasks.map(
      ([, task]) =>
        `${nameOf(task)
          .replaceAll(/(?<=.)([A-Z])/g, '-$1')
          .toLowerCase()}.ts`,
    );
    expect(files).toEqual(expect.arrayContaining(expected));
  });
});
