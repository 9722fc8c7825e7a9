import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { postingFunctionSeconds, postingTaskSeconds } from '../../infra/settings.ts';
import { steps } from '../simulation/steps.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const state = z.looseObject({
  Type: z.string(),
  Resource: z.string().optional(),
  TimeoutSeconds: z.number().optional(),
  Retry: z.array(z.object({ ErrorEquals: z.array(z.string()), MaxAttempts: z.number() })).optional(),
  Catch: z.array(z.object({ ErrorEquals: z.array(z.string()) })).optional(),
  ItemProcessor: z.object({ States: z.record(z.string(), z.looseObject({})) }).optional(),
});
type State = z.infer<typeof state>;

const asl = readFileSync(new URL('../../statemachines/batch.asl.json', import.meta.url), 'utf8');
// Numbers stand in it as substitutions without quotes, which JSON has no place for.
const text = asl.replaceAll(/: \$\{\w+\}/g, ': 1');

function statesOf(value: unknown): [string, State][] {
  const states = z.object({ States: z.record(z.string(), state) }).parse(value).States;
  return Object.entries(states).flatMap(([name, found]) => [
    [name, found] satisfies [string, State],
    ...(found.ItemProcessor === undefined ? [] : statesOf(found.ItemProcessor)),
  ]);
}

const states = statesOf(JSON.parse(text));
const tasks = states.filter(([, { Type }]) => Type === 'Task');
const resources = resourcesOf(composed(), 'PayoutOrchestrator');

/** The function of a task, by the name the state machine's text substitutes. */
function functionOf(task: State) {
  const name = /^\$\{(\w+)Function\}$/.exec(task.Resource ?? '')?.[1] ?? 'none';
  const found = resources.find(
    ({ Type, logicalId }) => Type === 'AWS::Lambda::Function' && logicalId.startsWith(`BatchWorkflow${name}`),
  );
  return z.object({ Timeout: z.number() }).parse(found?.Properties);
}

describe('the workflow', () => {
  it.each(['SubmitChunk', 'Convert'])('never repeats %s, which moves money, but when Lambda did not run it', (name) => {
    const [, task] = tasks.find(([found]) => found === name) ?? [];
    expect(task).toBeDefined();
    expect(task?.Retry?.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual(['Lambda.TooManyRequestsException']);
  });

  it.each(tasks)('gives %s a task timeout that its function ends before', (_, task) => {
    expect(functionOf(task).Timeout).toBeLessThan(task.TimeoutSeconds ?? 0);
  });

  it.each(tasks)('simulates %s with the time that its function has', (name, task) => {
    expect(steps[name]?.timeoutSeconds).toBe(functionOf(task).Timeout);
  });

  it.each(['SubmitChunk', 'Convert'])('nests the timeouts of %s: HTTP, function, task, looking it up', (name) => {
    const settings = orchestratorSettings.parse({});
    const [, task] = tasks.find(([found]) => found === name) ?? [];
    expect(task?.TimeoutSeconds).toBe(postingTaskSeconds);
    expect(task && functionOf(task).Timeout).toBe(postingFunctionSeconds);
    expect(settings.httpTimeoutSeconds).toBeLessThan(postingFunctionSeconds);
    expect(postingTaskSeconds).toBeLessThan(settings.resolveAfterSeconds);
  });

  it.each(tasks.filter(([name]) => !['RecordFailure', 'ResolveChunk', 'PollChunk', 'ArchiveProofs'].includes(name)))(
    'catches whatever %s fails with',
    (_, task) => {
      expect(task.Catch?.flatMap(({ ErrorEquals }) => ErrorEquals)).toContain('States.ALL');
    },
  );

  it('tolerates every failure of a chunk: a breach would stop others in the middle of a call', () => {
    const [, map] = states.find(([, { Type }]) => Type === 'Map') ?? [];
    expect(map?.['ToleratedFailurePercentage']).toBe(100);
    expect(map?.['ResultPath']).toBeNull();
  });

  it('has every name it leaves open filled in by the infra, and none besides', () => {
    const open = new Set([...asl.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
    const machine = resources.find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine');
    const filled = z.record(z.string(), z.unknown()).parse(machine?.Properties['DefinitionSubstitutions']);
    expect(Object.keys(filled).sort()).toEqual([...open].sort());
  });

  it('logs every state it enters, and nothing of what it carries', () => {
    const machine = resources.find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine');
    expect(machine?.Properties['LoggingConfiguration']).toMatchObject({ Level: 'ALL', IncludeExecutionData: false });
  });

  it('has a file of steps for every task', () => {
    const files = readdirSync(new URL('../../functions/steps', import.meta.url));
    const expected = tasks.map(([name]) => `${name.replaceAll(/(?<=.)([A-Z])/g, '-$1').toLowerCase()}.ts`);
    expect(files).toEqual(expect.arrayContaining(expected));
  });
});
