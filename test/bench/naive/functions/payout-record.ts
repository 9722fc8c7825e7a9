import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';

/** The data that a payout's execution passes from state to state. */
export const followedPayout = z.object({
  reference: z.string(),
  rail: z.enum(['fiat', 'crypto']),
  disbursementId: z.string(),
  polls: z.int(),
  waitSeconds: z.number(),
  next: z.enum(['poll', 'archive', 'done']),
});

export type FollowedPayout = z.infer<typeof followedPayout>;

/** Seconds before the next poll: 5, doubling to 300, plus or minus a fifth. */
export const pollWaitSeconds = (polls: number): number =>
  Math.round(Math.min(300, 5 * 2 ** polls) * (0.8 + 0.4 * Math.random()));

let client: DynamoDBDocumentClient | undefined;
const table = (): DynamoDBDocumentClient => {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({}));
  return client;
};
const tableName = (): string => z.string().parse(process.env['NAIVE_TABLE']);

/** Writes a new payout. */
export const writePayout = async (payout: {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}): Promise<void> => {
  await table().send(
    new PutCommand({
      TableName: tableName(),
      Item: { ...payout, status: 'submitting' },
      ConditionExpression: 'attribute_not_exists(#reference)',
      ExpressionAttributeNames: { '#reference': 'reference' },
    }),
  );
};

/** Updates a payout's fields. */
export const updatePayout = async (reference: string, changes: Readonly<Record<string, string>>): Promise<void> => {
  const entries = Object.entries(changes);
  await table().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { reference },
      UpdateExpression: `SET ${entries.map((_, index) => `#n${index} = :v${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#n${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], index) => [`:v${index}`, value])),
    }),
  );
};
