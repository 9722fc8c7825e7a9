import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** Refuses every request for items that comes without TLS, whoever makes it: DynamoDB by itself answers on plain HTTP too. */
export const refuseWithoutTls = (table: TableV2): void => {
  table.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: [
        'dynamodb:GetItem',
        'dynamodb:BatchGetItem',
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:DeleteItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:ConditionCheckItem',
      ],
      // The table the policy is on: its own ARN would make it wait for itself.
      resources: ['*'],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
};
