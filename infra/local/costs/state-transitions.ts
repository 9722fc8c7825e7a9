import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { z } from 'zod';
import type { ChoiceState, Machine } from '../../workflow/language.ts';
import { holds, machinesIn, nextOf, parseMachine } from '../../workflow/language.ts';
import type { TaskAttempt } from './task-attempts.ts';
import { taskAttemptsOf } from './task-attempts.ts';

/** The machine that the children of the Distributed Map run, wherever it is nested. */
const childrenOf = ({ States }: Machine): Machine | undefined => {
  for (const state of Object.values(States)) {
    if (state.Type === 'Map') return state.ItemProcessor;
    const inBranch = machinesIn(state)
      .map(childrenOf)
      .find((found) => found !== undefined);
    if (inBranch !== undefined) return inBranch;
  }
  return undefined;
};

const countOf = (events: readonly HistoryEvent[], type: RegExp): number =>
  events.filter((event) => type.test(event.type ?? '')).length;

const stateEntered = /StateEntered$/;

/**
 * State transitions as AWS bills them: each state entered, and each retry. The local AWS leaves the states of a Distributed Map's
 * child and of a Parallel's branches out of the history. For those the path is reconstructed from the outputs of the tasks.
 */
export const transitionsOf = (definition: string, events: readonly HistoryEvent[]): number => {
  const machine = parseMachine(JSON.parse(definition));
  if (countOf(events, stateEntered) === 0) {
    const children = childrenOf(machine);
    return children === undefined ? 0 : walk(children, taskAttemptsOf(events), {});
  }
  let transitions = 0;
  const counted: HistoryEvent[] = [];
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index];
    if (event === undefined) break;
    counted.push(event);
    if (event.type !== 'ParallelStateEntered') continue;
    const length = events.slice(index + 1).findIndex(({ type }) => type === 'ParallelStateExited');
    const inside = events.slice(index + 1, length === -1 ? undefined : index + 1 + length);
    if (countOf(inside, stateEntered) > 0) continue;
    const { name = '', input = '{}' } = event.stateEnteredEventDetails ?? {};
    const state = machine.States[name];
    for (const branch of state === undefined ? [] : machinesIn(state))
      transitions += walk(branch, taskAttemptsOf(inside), JSON.parse(input));
    index += inside.length;
  }
  const retries = countOf(counted, /^(LambdaFunction|Task)Scheduled$/) - countOf(counted, /^TaskStateEntered$/);
  return transitions + countOf(counted, stateEntered) + Math.max(0, retries);
};

/** Counts the states on the path from an input to the last attempted task. */
const walk = ({ StartAt, States }: Machine, attempts: readonly TaskAttempt[], input: unknown): number => {
  const left = Map.groupBy(attempts, ({ resource }) => resource);
  let transitions = 0;
  let output = input;
  for (let name: string | undefined = StartAt; name !== undefined; ) {
    const at = States[name];
    if (at === undefined) break;
    transitions += 1;
    if (at.Type === 'Choice') {
      name = chosen(at, output);
      continue;
    }
    if (at.Type === 'Task') {
      const { retries, answered } = takeAttempts(left.get(at.Resource) ?? []);
      transitions += retries;
      if (answered === undefined) break;
      if (at.ResultPath !== null) output = JSON.parse(answered);
    }
    name = nextOf(at);
  }
  return transitions;
};

/** Removes the attempts up to the first that succeeded: each one before it was followed by a retry. */
const takeAttempts = (attempts: TaskAttempt[]): { readonly retries: number; readonly answered: string | undefined } => {
  const found = attempts.findIndex(({ output }) => output !== undefined);
  const taken = attempts.splice(0, found === -1 ? attempts.length : found + 1);
  return { retries: Math.max(0, taken.length - 1), answered: taken.at(-1)?.output };
};

/** Each choice of the workflow looks at one field. */
const chosen = ({ Choices, Default }: ChoiceState, output: unknown): string => {
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(output);
  return Choices.find((rule) => holds(rule, fields[rule.Variable.slice(2)]))?.Next ?? Default;
};
