import { AttributeType, Billing, StreamViewType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { DataKey } from '../data-key.ts';
import { tableProtection } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';
import { refuseWithoutTls } from '../tls-only.ts';
import { warmWrites } from '../warm-throughput.ts';

/** What a function may do with the table. */
export type TableAccess = keyof typeof actions;

/** Action names by kind of access. A transaction is allowed by the actions of its parts. */
const actions = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  write: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:BatchWriteItem', 'dynamodb:ConditionCheckItem'],
  delete: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
  /** New items: the signatures of requests, so that none is taken twice, and a checkout’s deposit. */
  remember: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  get: ['dynamodb:GetItem'],
  query: ['dynamodb:Query'],
} as const;

/** Everything the payment service remembers. Its keys: functions/payment-service/store/keys.ts. */
export class ServiceTable extends Construct {
  readonly table: TableV2;
  readonly #key: DataKey;

  constructor(scope: Construct, id: string, { warmWritesPerSecond }: { readonly warmWritesPerSecond: number }) {
    super(scope, id);
    this.#key = new DataKey(this, 'Key', 'What the payment service remembers');
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.#key),
      ...warmWrites(warmWritesPerSecond),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Announced changes travel from here to the webhook queue.
      dynamoStream: StreamViewType.NEW_IMAGE,
      // Quotes, signatures and the log of deliveries carry it: records of money have no end of life.
      timeToLiveAttribute: 'timeToLive',
      ...tableProtection(this),
    });
    refuseWithoutTls(this.table);
  }

  /** Allows exactly these kinds of access, each action by its name. */
  allow(user: NodeFunction, access: readonly TableAccess[]): void {
    user.allow([...new Set(access.flatMap((kind) => actions[kind]))], [this.table.tableArn]);
    if (access.every((kind) => kind === 'read' || kind === 'get' || kind === 'query')) this.#key.allowReading(user);
    else this.#key.allowWriting(user);
  }
}
