import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { SandboxState } from '../domain/sandbox.ts';
import { unsteered } from '../domain/sandbox.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

const stateItem = z.object({
  generation: z.number().default(unsteered.generation),
  clockOffset: z.number().default(unsteered.clockOffset),
  rates: z.record(z.string(), z.string()).default(unsteered.rates),
});

/** How a merchant has steered its sandbox, as of now. */
export async function readSandboxState(table: Table, clientId: string): Promise<SandboxState> {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.sandbox(clientId), ConsistentRead: true }),
  );
  return answer.Item === undefined ? unsteered : stateItem.parse(answer.Item);
}

/** Changes a part of how the sandbox is steered; answers the whole as it is then. */
export async function steer(
  table: Table,
  clientId: string,
  change: Partial<Omit<SandboxState, 'generation'>>,
): Promise<SandboxState> {
  const names = Object.keys(change);
  const answer = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keys.sandbox(clientId),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(change).map(([name, to]) => [`:${name}`, to])),
      ReturnValues: 'ALL_NEW',
    }),
  );
  return stateItem.parse(answer.Attributes ?? {});
}

/** Begins everything anew: nothing of what was is seen any more, and nothing is steered. */
export async function resetSandbox(table: Table, clientId: string): Promise<SandboxState> {
  const answer = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keys.sandbox(clientId),
      UpdateExpression: 'ADD generation :one REMOVE clockOffset, rates',
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return stateItem.parse(answer.Attributes ?? {});
}
