import { AttributeType, Billing, StreamViewType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { partitionPrefixes } from '../../../functions/payment-service/store/keys.ts';
import { DataKey } from '../data-key.ts';
import { tableProtection } from '../lasting.ts';
import { leadingKeys } from '../leading-keys.ts';
import type { NodeFunction } from '../node-function.ts';
import { refuseWithoutTls } from '../tls-only.ts';
import { warmWrites } from '../warm-throughput.ts';

/** A kind of access to the table. */
export type TableAccess = keyof typeof actions;

/**
 * Actions by kind of access. A transaction needs the actions of its parts. `dynamodb:BatchWriteItem` alone allows
 * deletions too, so only functions that delete have it.
 */
const actions = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  write: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  delete: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
  get: ['dynamodb:GetItem'],
  query: ['dynamodb:Query'],
  /** Stores a request's signature, so that it is accepted only once. */
  keepSignatures: ['dynamodb:PutItem'],
  registerWebhooks: ['dynamodb:PutItem'],
  logDeliveries: ['dynamodb:PutItem'],
  /** Changes the state of a merchant's sandbox, which includes the counts of its faults. */
  changeSandbox: ['dynamodb:UpdateItem'],
  countMagicFaults: ['dynamodb:UpdateItem'],
} as const;

/** Kinds of access that are limited to items whose partition keys start with a prefix. None of them can move money. */
const limitedTo: Partial<Record<TableAccess, string>> = {
  keepSignatures: partitionPrefixes.signature,
  registerWebhooks: partitionPrefixes.merchant,
  logDeliveries: partitionPrefixes.deliveries,
  changeSandbox: partitionPrefixes.merchant,
  countMagicFaults: partitionPrefixes.magicFault,
};

/** Counts a sandbox's faults, wherever they were set. */
export const countFaults = ['changeSandbox', 'countMagicFaults'] as const satisfies readonly TableAccess[];

const onlyReads: readonly TableAccess[] = ['read', 'get', 'query'];

/** All data of the payment service. Its keys are in functions/payment-service/store/keys.ts. */
export class ServiceTable extends Construct {
  readonly table: TableV2;
  readonly #key: DataKey;

  constructor(scope: Construct, id: string, { warmWritesPerSecond }: { readonly warmWritesPerSecond: number }) {
    super(scope, id);
    this.#key = new DataKey(this, 'Key', 'The payment service’s data');
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.#key),
      ...warmWrites(warmWritesPerSecond),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // The stream from which announced changes reach the webhook queue.
      dynamoStream: StreamViewType.NEW_IMAGE,
      // Quotes, signatures and the delivery log expire. Records of money never do.
      timeToLiveAttribute: 'timeToLive',
      ...tableProtection(this),
    });
    refuseWithoutTls(this.table);
  }

  /** Grants exactly these kinds of access, each action by name. */
  allow(user: NodeFunction, access: readonly TableAccess[]): void {
    for (const kind of access) user.allow(actions[kind], [this.table.tableArn], leadingKeys(limitedTo[kind]));
    if (access.every((kind) => onlyReads.includes(kind))) this.#key.allowReading(user);
    else this.#key.allowWriting(user);
  }
}
