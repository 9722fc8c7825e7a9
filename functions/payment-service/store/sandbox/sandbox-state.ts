import * as z from 'zod';
import { Refused } from '../../domain/refused.ts';
import { faults } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { sandboxState, untouchedSandbox } from '../../domain/sandbox/sandbox.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { ManyItems } from '../many-items.ts';
import { retryConflicts } from '../retry.ts';
import type { Table } from '../table.ts';
import { edits, getItem, transact, unchanged, update, updateNow } from '../table.ts';

/** One counter per fault, each an attribute of its own, so that counting does not need an existing item. */
export const injectedAttribute = (fault: (typeof faults)[number]): string => `injected:${fault}`;

const stateItem = z.record(z.string(), z.unknown()).transform((item): SandboxState => {
  const counts = faults.map((fault) => [fault, item[injectedAttribute(fault)]]);
  return sandboxState.parse({
    ...item,
    injected: Object.fromEntries(counts.filter(([, count]) => typeof count === 'number')),
  });
});

/** The current state of a merchant's sandbox. */
export const readSandboxState = async (table: Table, clientId: string): Promise<SandboxState> =>
  (await getItem(table, keys.sandbox(clientId), stateItem)) ?? untouchedSandbox;

/** Replaces the faults. Returns the whole state. */
export const replaceFaults = async (table: Table, clientId: string, faults: SandboxState['faults']) => {
  const how = edits({ set: { faults }, add: { faultsVersion: 1 } });
  return stateItem.parse(await updateNow(table, keys.sandbox(clientId), how));
};

type ClockAndRates = Partial<Pick<SandboxState, 'clockOffset' | 'rates'>>;

/**
 * Sets the clock or the rates by a decision on their current values, on condition that neither was set since. So no
 * concurrent change is lost. A transaction, because the client repeats one whose answer was lost under the same token: its
 * own write does not fail the condition then. A change that an attempt given up by the client wrote late is not made again:
 * it has this change's id.
 *
 * @param decide returns a refusal when the current values forbid the change
 * @returns the new state, the refusal, or `busy` when other changes win in every attempt
 */
export const changeSandbox = async (
  context: ManyItems & Pick<Context, 'randomHex'>,
  clientId: string,
  decide: (state: SandboxState) => ClockAndRates | Refused,
): Promise<SandboxState | Refused | 'busy'> => {
  const { table } = context;
  const settingsChange = context.randomHex();
  const outcome = await retryConflicts(context, async () => {
    const state = await readSandboxState(table, clientId);
    if (state.settingsChange === settingsChange) return state;
    const decided = decide(state);
    if (decided instanceof Refused) return decided;
    const change = { ...decided, settingsChange };
    const same = unchanged('settingsVersion', state.settingsVersion);
    const set = update(keys.sandbox(clientId), edits({ set: change, add: { settingsVersion: 1 } }, same));
    return (await transact(table, [set])) === undefined ? { ...state, ...change } : 'again';
  });
  return outcome ?? 'busy';
};

/** Resets the sandbox: earlier records become invisible, and all settings return to their defaults. */
export const startOver = async (table: Table, clientId: string): Promise<SandboxState> => {
  const counters = Object.fromEntries(faults.map((fault) => [injectedAttribute(fault), undefined]));
  const set = { clockOffset: undefined, rates: undefined, faults: undefined, ...counters };
  const add = { generation: 1, settingsVersion: 1, faultsVersion: 1 };
  const changed = await updateNow(table, keys.sandbox(clientId), edits({ set, add }));
  return stateItem.parse(changed);
};
