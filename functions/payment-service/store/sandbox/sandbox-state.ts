import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { faults } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { unsteered } from '../../domain/sandbox/sandbox.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';

/** One counter a kind, an attribute of its own, so that counting needs nothing to be there before. */
export const injectedAttribute = (fault: (typeof faults)[number]): string => `injected:${fault}`;

const setFault = z.object({
  endpoint: z.string(),
  fault: z.enum(faults),
  probability: z.string().optional(),
  left: z.number().optional(),
  seconds: z.number().optional(),
  injected: z.number(),
});

const stateItem = z
  .object({
    generation: z.number().default(unsteered.generation),
    clockOffset: z.number().default(unsteered.clockOffset),
    rates: z.record(z.string(), z.string()).default(unsteered.rates),
    faults: z.array(setFault).default([]),
    faultsVersion: z.number().default(unsteered.faultsVersion),
  })
  .catchall(z.unknown())
  .transform(({ generation, clockOffset, rates, faults: set, faultsVersion, ...rest }): SandboxState => {
    const counts = faults.map((fault) => [fault, rest[injectedAttribute(fault)]]);
    const injected = Object.fromEntries(counts.filter(([, count]) => typeof count === 'number'));
    return { generation, clockOffset, rates, faults: set, faultsVersion, injected };
  });

/** How a merchant has steered its sandbox, as of now. */
export const readSandboxState = async (table: Table, clientId: string): Promise<SandboxState> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.sandbox(clientId), ConsistentRead: true }),
  );
  return answer.Item === undefined ? unsteered : stateItem.parse(answer.Item);
};

/** What of it is set by one write, whatever it was before. */
export type Steering = Partial<Pick<SandboxState, 'clockOffset' | 'rates' | 'faults'>>;

/** Changes a part of how the sandbox is steered; answers the whole as it is then. */
export const steer = async (table: Table, clientId: string, change: Steering): Promise<SandboxState> => {
  const names = Object.keys(change);
  const set = `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`;
  const answer = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keys.sandbox(clientId),
      UpdateExpression: change.faults === undefined ? set : `${set} ADD faultsVersion :one`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(change).map(([name, to]) => [`:${name}`, to])),
        ...(change.faults === undefined ? {} : { ':one': 1 }),
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return stateItem.parse(answer.Attributes ?? {});
};

/** Begins everything anew: nothing of what was is seen any more, and nothing is steered. */
export const resetSandbox = async (table: Table, clientId: string): Promise<SandboxState> => {
  const answer = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keys.sandbox(clientId),
      UpdateExpression: `ADD generation :one, faultsVersion :one REMOVE clockOffset, rates, faults, ${faults.map((_, index) => `#${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        faults.map((fault, index) => [`#${index}`, injectedAttribute(fault)]),
      ),
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return stateItem.parse(answer.Attributes ?? {});
};
