import * as z from 'zod';
import { faults } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { sandboxState, untouchedSandbox } from '../../domain/sandbox/sandbox.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { getItem, updateNow } from '../table.ts';

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
export const readSandboxState = async (table: Table, clientId: string): Promise<SandboxState> => {
  return (await getItem(table, keys.sandbox(clientId), stateItem)) ?? untouchedSandbox;
};

/** The parts of the state that a merchant can set. */
type SandboxChange = Partial<Pick<SandboxState, 'clockOffset' | 'rates' | 'faults'>>;

/** Sets parts of the sandbox's state. Returns the whole state. */
export const changeSandbox = async (table: Table, clientId: string, change: SandboxChange): Promise<SandboxState> => {
  const names = Object.keys(change);
  const set = `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`;
  const values = Object.fromEntries(Object.entries(change).map(([name, to]) => [`:${name}`, to]));
  const setsFaults = change.faults !== undefined;
  const changed = await updateNow(table, keys.sandbox(clientId), {
    UpdateExpression: setsFaults ? `${set} ADD faultsVersion :one` : set,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: setsFaults ? { ...values, ':one': 1 } : values,
  });
  return stateItem.parse(changed);
};

/** Resets the sandbox: earlier records become invisible, and all settings return to their defaults. */
export const startOver = async (table: Table, clientId: string): Promise<SandboxState> => {
  const changed = await updateNow(table, keys.sandbox(clientId), {
    UpdateExpression: `ADD generation :one, faultsVersion :one REMOVE clockOffset, rates, faults, ${faults.map((_, index) => `#${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(faults.map((fault, index) => [`#${index}`, injectedAttribute(fault)])),
    ExpressionAttributeValues: { ':one': 1 },
  });
  return stateItem.parse(changed);
};
