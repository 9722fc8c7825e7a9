import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clientIdOf } from '../../domain/account.ts';
import type { Fault, PlannedFault, Strike } from '../../domain/sandbox/faults.ts';
import { nothingStrikes, strikeBy } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import type { PaymentServiceSettings } from '../../settings.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { conditionHeld } from '../table.ts';
import { injectedAttribute } from './sandbox-state.ts';

/** The merchant whose faults they are, and the version of its list of faults. */
interface FaultsOf extends Pick<SandboxState, 'faultsVersion'> {
  readonly clientId: string;
  readonly accountId: string;
}

interface Counting {
  /** What is set besides the counter of the kind. */
  readonly set?: string;
  /** A rule's number of strikes left, checked to be above zero. `#left`, because `left` is a word of DynamoDB's own. */
  readonly left?: string;
}

/** Counts a strike by its kind, on condition that the merchant has neither set other faults nor started over since. */
const count = (table: Table, of: FaultsOf, fault: Fault, { set = '', left }: Counting = {}): Promise<boolean> => {
  const isFirst = of.faultsVersion === 0;
  const version = isFirst ? 'attribute_not_exists(faultsVersion)' : 'faultsVersion = :version';
  return conditionHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.sandbox(of.clientId),
        UpdateExpression: `${set} ADD #injected :one`,
        ConditionExpression: left === undefined ? version : `${version} AND ${left} > :none`,
        ExpressionAttributeNames: {
          '#injected': injectedAttribute(fault),
          ...(left === undefined ? undefined : { '#left': 'left' }),
        },
        // The document client leaves out undefined values.
        ExpressionAttributeValues: {
          ':one': 1,
          ':version': isFirst ? undefined : of.faultsVersion,
          ':none': left === undefined ? undefined : 0,
        },
      }),
    ),
  );
};

/** Uses one of the strikes that a magic reference has. They are counted for each reference. */
const useMagic = (table: Table, accountId: string, reference: string, left: number): Promise<boolean> =>
  conditionHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.magicFault(accountId, reference),
        UpdateExpression: 'ADD strikes :one',
        ConditionExpression: 'attribute_not_exists(strikes) OR strikes < :left',
        ExpressionAttributeValues: { ':one': 1, ':left': left },
      }),
    ),
  );

/**
 * Takes one strike of a fault by a conditional write. So a fault for the next N requests strikes at most N, however many
 * are concurrent.
 *
 * @returns false when no strike is left, or the merchant has set other faults since
 */
const takeStrike = async (table: Table, of: FaultsOf, planned: PlannedFault): Promise<boolean> => {
  const { source, fault, left } = planned;
  if ('place' in source) {
    const rule = `faults[${source.place}]`;
    const injected = `${rule}.injected = ${rule}.injected + :one`;
    return left === undefined
      ? await count(table, of, fault, { set: `SET ${injected}` })
      : await count(table, of, fault, {
          set: `SET ${injected}, ${rule}.#left = ${rule}.#left - :one`,
          left: `${rule}.#left`,
        });
  }
  if (left !== undefined && !(await useMagic(table, of.accountId, source.reference, left))) return false;
  return await count(table, of, fault);
};

export interface StrikePorts {
  readonly table: Table;
  readonly settings: Pick<PaymentServiceSettings, 'sandbox'>;
  readonly random: () => number;
}

/** How these faults strike an account's requests or webhooks. Each strike is counted in the table. */
export const strikesOf = (
  { table, settings, random }: StrikePorts,
  accountId: string,
  { faultsVersion }: Pick<SandboxState, 'faultsVersion'>,
  planned: readonly PlannedFault[],
): Strike => {
  if (!settings.sandbox || planned.length === 0) return nothingStrikes;
  const of = { accountId, clientId: clientIdOf(accountId), faultsVersion };
  return strikeBy({ random, take: (one) => takeStrike(table, of, one) }, planned);
};
