import { describe, expect, it } from 'vitest';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { countWaits } from '../../functions/steps/funding/count-waits.ts';
import type { Machine, State } from '../../infra/workflow/language.ts';
import { machinesIn, targetsOf } from '../../infra/workflow/language.ts';
import { readDefinition } from './workflow/definition.ts';
import { EventHistory, mostEvents as mostEventsOfAnExecution } from './workflow/event-history.ts';

const workflow = readDefinition({ SubmitsAtOnce: 2 });

const stateOf = ({ States }: Machine, name: string): State => {
  const state = States[name];
  if (state === undefined) throw new Error(`the workflow has no state ${name}`);
  return state;
};

const branches = machinesIn(stateOf(workflow, 'Disburse'));
/** The branch of Disburse that contains a state. */
const branchWith = (name: string): Machine => {
  const found = branches.find(({ States }) => name in States);
  if (found === undefined) throw new Error(`no branch has the state ${name}`);
  return found;
};

/** Events of these states, each of them without a retry. */
const eventsOf = (machine: Machine, names: readonly string[]): number => {
  const history = new EventHistory();
  const before = history.events;
  for (const state of names.map((name) => stateOf(machine, name))) {
    history.enters(state);
    if (state.Type === 'Task') history.tries();
  }
  return history.events - before;
};

interface Path {
  readonly from: string;
  /** The state that ends the path, and is not counted. Undefined: it ends where the machine ends. */
  readonly until?: string;
  /** States that are on no path. */
  readonly without?: readonly string[];
}

/** The most events of any path on which no state comes twice. */
const mostEvents = (machine: Machine, { from, until, without = [] }: Path): number => {
  const walk = (name: string, passed: readonly string[]): number => {
    const path = [...passed, name];
    const targets = targetsOf(stateOf(machine, name)).filter((one) => !without.includes(one));
    const isThere = until === undefined ? targets.length === 0 : targets.includes(until);
    const onward = targets.filter((one) => one !== until && !path.includes(one));
    return Math.max(isThere ? eventsOf(machine, path) : 0, ...onward.map((one) => walk(one, path)));
  };
  return walk(from, []);
};

/** The numbers by which `sweepsPerExecution`, `follow.ts` and `count-waits.ts` keep a history below 25,000 events. */
describe('an execution’s history grows, on paths where no state comes twice, by at most', () => {
  it('ten events for a sweep, one of which is left for its reports', () => {
    const sweep: Path = { from: 'Follow', until: 'Follow', without: ['ReportSoFar'] };
    expect(mostEvents(branchWith('Follow'), sweep)).toBe(9);
  });

  it('twenty events for a round of submitting, as for two sweeps', () => {
    const around =
      eventsOf(branchWith('Followed'), ['Followed']) + eventsOf(workflow, ['What is left to do?', 'Disburse']);
    const submitting = branchWith('Submit');
    expect(around + mostEvents(submitting, { from: submitting.StartAt })).toBe(20);
  });

  it.each([
    ['WaitForFunds', 23],
    ['WaitForApproval', 9],
    ['WaitForProvider', 9],
  ])('the events between one %s and the next: %i', (wait, events) => {
    const loop: Path = { from: wait, until: wait, without: ['Disburse', 'RecordFailure'] };
    expect(mostEvents(workflow, loop)).toBe(events);
  });
});

it('all sweeps and waits that an execution may have leave room in its history', async () => {
  const waitOnce = countWaits(async () => ({ batchId: 'b', next: 'wait' }));
  const continues = async (waits: number) =>
    (await waitOnce({ batchId: 'b', waits }, { remainingMs: () => 60_000 })).next === 'wait';
  let waits = 0;
  while (await continues(waits)) waits += 1;
  const { sweepsPerExecution } = orchestratorSettings().parse({});
  expect(10 * sweepsPerExecution + 23 * waits).toBeLessThan(mostEventsOfAnExecution);
});
