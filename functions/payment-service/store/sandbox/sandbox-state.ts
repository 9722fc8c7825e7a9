import * as z from 'zod';
import { faults } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { sandboxState, untouchedSandbox } from '../../domain/sandbox/sandbox.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { edits, getItem, updateNow } from '../table.ts';

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

/** The parts of the state that a merchant can set. */
type SandboxChange = Partial<Pick<SandboxState, 'clockOffset' | 'rates' | 'faults'>>;

/** Sets parts of the sandbox's state. Returns the whole state. */
export const changeSandbox = async (table: Table, clientId: string, change: SandboxChange): Promise<SandboxState> => {
  const add = change.faults === undefined ? {} : { faultsVersion: 1 };
  const changed = await updateNow(table, keys.sandbox(clientId), edits({ set: change, add }));
  return stateItem.parse(changed);
};

/** Resets the sandbox: earlier records become invisible, and all settings return to their defaults. */
export const startOver = async (table: Table, clientId: string): Promise<SandboxState> => {
  const counters = Object.fromEntries(faults.map((fault) => [injectedAttribute(fault), undefined]));
  const set = { clockOffset: undefined, rates: undefined, faults: undefined, ...counters };
  const add = { generation: 1, faultsVersion: 1 };
  const changed = await updateNow(table, keys.sandbox(clientId), edits({ set, add }));
  return stateItem.parse(changed);
};
