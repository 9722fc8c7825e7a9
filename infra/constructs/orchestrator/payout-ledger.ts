import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { EventSourceMappingOptions } from 'aws-cdk-lib/aws-lambda';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ledgerTable, partitionPrefixes } from '../../../functions/ledger/table/table.ts';
import type { DataKey } from '../data-key.ts';
import { tableProtection } from '../lasting.ts';
import { leadingKeys } from '../leading-keys.ts';
import type { NodeFunction } from '../node-function.ts';
import { refuseWithoutTls } from '../tls-only.ts';
import { warmWrites } from '../warm-throughput.ts';

/**
 * Actions by kind of access. A transaction needs the actions of its parts. `putWebhooks` and `updateWebhooks` are for the
 * function that anyone on the internet can call. `keepProgress` is for functions that read counts with `atMostMs`, which stores
 * them, and `keepEvents` for those that publish events.
 */
const actions = {
  read: ['dynamodb:GetItem', 'dynamodb:Query'],
  readMany: ['dynamodb:BatchGetItem'],
  readIndexes: ['dynamodb:Query'],
  searchPayouts: ['dynamodb:Query'],
  putWebhooks: ['dynamodb:PutItem'],
  updateWebhooks: ['dynamodb:UpdateItem'],
  keepProgress: ['dynamodb:PutItem'],
  keepEvents: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  write: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'],
  delete: ['dynamodb:DeleteItem'],
} as const;

type LedgerIndex = (typeof ledgerTable.indexes)[keyof typeof ledgerTable.indexes];

/** What a function may do with the ledger. */
export type LedgerAccess = keyof typeof actions;

const onlyReads: readonly LedgerAccess[] = ['read', 'readMany', 'readIndexes', 'searchPayouts'];

/** Kinds of access that are limited to items whose partition keys start with a prefix. */
const limitedTo: Partial<Record<LedgerAccess, string>> = {
  putWebhooks: partitionPrefixes.webhook,
  updateWebhooks: partitionPrefixes.webhook,
  keepProgress: partitionPrefixes.progress,
  keepEvents: partitionPrefixes.events,
};

/** The table that records what was paid, what was requested and what is not known yet. Its keys: functions/ledger/ITEMS.md. */
export class PayoutLedger extends Construct {
  readonly table: TableV2;
  readonly #key: DataKey;

  constructor(scope: Construct, id: string, props: { readonly key: DataKey; readonly warmWritesPerSecond: number }) {
    super(scope, id);
    this.#key = props.key;
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    const { batchesByDay, open, payoutsByDestination } = ledgerTable.indexes;
    const index = ({ name, partitionKey, sortKey, projection }: LedgerIndex) => ({
      indexName: name,
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      projectionType: ProjectionType[projection],
    });
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(ledgerTable.partitionKey),
      sortKey: text(ledgerTable.sortKey),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(props.key),
      ...warmWrites(props.warmWritesPerSecond),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      dynamoStream: StreamViewType[ledgerTable.stream],
      // Webhooks, their lookups, debts, events and checks of the provider expire. Proof of a payment never does.
      timeToLiveAttribute: ledgerTable.timeToLive,
      ...tableProtection(this),
      globalSecondaryIndexes: [
        index(batchesByDay),
        index(open),
        // Every payout is written to this index too, and a throttled index throttles its table.
        { ...index(payoutsByDestination), ...warmWrites(props.warmWritesPerSecond) },
      ],
    });
    refuseWithoutTls(this.table);
  }

  /** Grants exactly these kinds of access, each action by its name. */
  allow(user: NodeFunction, access: readonly LedgerAccess[]): void {
    for (const kind of access) {
      user.allow(actions[kind], this.#resourcesOf(kind), leadingKeys(limitedTo[kind]));
    }
    if (access.every((kind) => onlyReads.includes(kind))) this.#key.allowReading(user);
    else this.#key.allowWriting(user);
  }

  #resourcesOf(kind: LedgerAccess): readonly string[] {
    const { batchesByDay, open, payoutsByDestination } = ledgerTable.indexes;
    const indexes = (...some: readonly { readonly name: string }[]) =>
      some.map(({ name }) => `${this.table.tableArn}/index/${name}`);
    if (kind === 'readIndexes') return indexes(batchesByDay, open);
    if (kind === 'searchPayouts') return [this.table.tableArn, ...indexes(batchesByDay, payoutsByDestination)];
    return [this.table.tableArn];
  }

  /** Invokes a function with changes of the table. The function sees whole items, but only those that pass the filter. */
  streamTo(
    reader: NodeFunction,
    id: string,
    source: Pick<EventSourceMappingOptions, 'filters' | 'retryAttempts' | 'reportBatchItemFailures'>,
  ): void {
    const streamArn = this.table.tableStreamArn;
    if (streamArn === undefined) throw new Error('The ledger has no stream');
    reader.addEventSourceMapping(id, {
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      bisectBatchOnError: true,
      ...source,
    });
    reader.allowStream(streamArn);
    this.#key.allowReading(reader);
  }
}
