import { clientIdOf } from '../../domain/account.ts';
import type { Fault, PlannedFault, Strike } from '../../domain/sandbox/faults.ts';
import { nothingStrikes, strikeBy } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { conditionHeld, unchanged, updateNow } from '../table.ts';
import { injectedAttribute } from './sandbox-state.ts';

/** The account whose merchant set the faults, and the version of its fault list. */
interface FaultsOf extends Pick<SandboxState, 'faultsVersion'> {
  readonly accountId: string;
}

/**
 * Counts a strike by fault, on condition that the merchant has not changed its faults or reset its sandbox since.
 *
 * @param set further updates besides the counter
 * @param left a rule's remaining strikes, checked to be at least one. `#left`, because `left` is reserved in DynamoDB
 */
const count = (table: Table, faults: FaultsOf, fault: Fault, set = '', left?: string): Promise<boolean> => {
  const { ConditionExpression: same, ExpressionAttributeValues } = unchanged('faultsVersion', faults.faultsVersion);
  return conditionHeld(
    updateNow(table, keys.sandbox(clientIdOf(faults.accountId)), {
      UpdateExpression: `${set} ADD #injected :one`,
      ConditionExpression: left === undefined ? same : `${same} AND ${left} >= :one`,
      ExpressionAttributeNames: {
        '#injected': injectedAttribute(fault),
        ...(left === undefined ? undefined : { '#left': 'left' }),
      },
      ExpressionAttributeValues: { ':one': 1, ...ExpressionAttributeValues },
    }),
  );
};

/** Uses one of a magic reference's strikes, which are counted per reference. */
const useMagic = (table: Table, accountId: string, reference: string, left: number): Promise<boolean> =>
  conditionHeld(
    updateNow(table, keys.magicFault(accountId, reference), {
      UpdateExpression: 'ADD strikes :one',
      ConditionExpression: 'attribute_not_exists(strikes) OR strikes < :left',
      ExpressionAttributeValues: { ':one': 1, ':left': left },
    }),
  );

/**
 * Takes one strike of a fault by a conditional write. So a fault for the next N requests strikes at most N, even
 * concurrent ones.
 *
 * @returns false when no strike is left, or when the merchant has changed its faults since
 */
const takeStrike = async (table: Table, faults: FaultsOf, planned: PlannedFault): Promise<boolean> => {
  const { source, fault, left } = planned;
  if ('place' in source) {
    const rule = `faults[${source.place}]`;
    const injected = `${rule}.injected = ${rule}.injected + :one`;
    return left === undefined
      ? await count(table, faults, fault, `SET ${injected}`)
      : await count(table, faults, fault, `SET ${injected}, ${rule}.#left = ${rule}.#left - :one`, `${rule}.#left`);
  }
  if (left !== undefined && !(await useMagic(table, faults.accountId, source.reference, left))) return false;
  return await count(table, faults, fault);
};

/** Decides for an account's requests or webhooks whether a fault strikes. Each strike is counted in the table. */
export const strikesOf = (
  { table, settings, random }: Pick<Context, 'table' | 'settings' | 'random'>,
  accountId: string,
  { faultsVersion }: Pick<SandboxState, 'faultsVersion'>,
  planned: readonly PlannedFault[],
): Strike => {
  if (!settings.sandbox || planned.length === 0) return nothingStrikes;
  const of = { accountId, faultsVersion };
  return strikeBy({ random, take: (one) => takeStrike(table, of, one) }, planned);
};
