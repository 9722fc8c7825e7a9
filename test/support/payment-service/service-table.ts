import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../functions/payment-service/store/table.ts';

/** A new table on the local AWS, with the same keys as the stack's. */
export const makeServiceTable = async (name: string): Promise<Table> => {
  const plain = new DynamoDBClient();
  await plain.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  const client = DynamoDBDocumentClient.from(plain, { marshallOptions: { removeUndefinedValues: true } });
  return { name, client };
};

export const dropServiceTable = async ({ name }: Table): Promise<void> => {
  await new DynamoDBClient().send(new DeleteTableCommand({ TableName: name }));
};
