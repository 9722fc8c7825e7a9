import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../functions/payment-service/store/table.ts';

/** An empty table on the local AWS with the service's keys, and how to remove it. */
export async function tableOfItsOwn(
  name: string,
): Promise<{ readonly table: Table; readonly remove: () => Promise<void> }> {
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
  return {
    table: { name, client },
    remove: async () => {
      await plain.send(new DeleteTableCommand({ TableName: name }));
    },
  };
}
