import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { z } from 'zod';

const state = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  Default: z.string().optional(),
  Choices: z.array(z.object({ Variable: z.string(), StringEquals: z.string(), Next: z.string() })).optional(),
  Retry: z.array(z.object({ ErrorEquals: z.array(z.string()) })).optional(),
  Catch: z.array(z.object({ Next: z.string() })).optional(),
  ItemProcessor: z.unknown().optional(),
});
const states = z.object({ StartAt: z.string(), States: z.record(z.string(), state) });
type States = z.infer<typeof states>;

/** How a task's try ended: with an output, or not. */
interface TaskEnd {
  readonly output: string | undefined;
}

const succeeded = /^(LambdaFunction|Task)Succeeded$/;
const failed = /^(LambdaFunction|Task)(Failed|TimedOut)$/;

function taskEndsOf(events: readonly HistoryEvent[]): readonly TaskEnd[] {
  return events.flatMap((event): readonly TaskEnd[] => {
    if (failed.test(event.type ?? '')) return [{ output: undefined }];
    if (!succeeded.test(event.type ?? '')) return [];
    const details = event.lambdaFunctionSucceededEventDetails ?? event.taskSucceededEventDetails;
    return [{ output: details?.output ?? '{}' }];
  });
}

/** The part of a state machine that the children of its first Distributed Map run. */
function childrenOf(definition: string): States {
  const { States } = states.parse(JSON.parse(definition));
  const map = Object.values(States).find(({ Type }) => Type === 'Map');
  return states.parse(map?.ItemProcessor);
}

/**
 * State transitions as AWS bills them: each state entered, and each retry. The local AWS writes no state into the history
 * of a Distributed Map's child, so there the way is found again from what its tasks answered.
 */
export function transitionsOf(definition: string, events: readonly HistoryEvent[]): number {
  const count = (type: RegExp): number => events.filter((event) => type.test(event.type ?? '')).length;
  const entered = count(/StateEntered$/);
  if (entered === 0) return walk(childrenOf(definition), taskEndsOf(events));
  const retries = count(/^(LambdaFunction|Task)Scheduled$/) - count(/^TaskStateEntered$/);
  return entered + Math.max(0, retries);
}

function walk({ StartAt, States }: States, ends: readonly TaskEnd[]): number {
  const left = [...ends];
  let transitions = 0;
  let output: unknown = {};
  for (let name: string | undefined = StartAt; name !== undefined; ) {
    const at: z.infer<typeof state> | undefined = States[name];
    if (at === undefined) break;
    transitions += 1;
    if (at.Type === 'Choice') {
      name = chosen(at, output);
      continue;
    }
    if (at.Type !== 'Task') {
      name = at.Next;
      continue;
    }
    const end = left.shift();
    if (end === undefined) break;
    if (end.output !== undefined) {
      output = JSON.parse(end.output);
      name = at.Next;
    } else if (!triesAgain(at) || left.length === 0) {
      name = at.Catch?.[0]?.Next;
    }
  }
  return transitions;
}

/** Whether a try that failed is followed by another: a Retry for what never ran says nothing of it. */
const triesAgain = ({ Retry = [] }: z.infer<typeof state>): boolean =>
  Retry.some(({ ErrorEquals }) => ErrorEquals.some((name) => name === 'States.TaskFailed' || name === 'States.ALL'));

/** The workflow's choices look at one field each. */
function chosen(choice: z.infer<typeof state>, output: unknown): string | undefined {
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(output);
  const fitting = choice.Choices?.find(({ Variable, StringEquals }) => fields[Variable.slice(2)] === StringEquals);
  return fitting?.Next ?? choice.Default;
}
