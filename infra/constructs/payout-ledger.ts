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
import { ledgerTable, partitionPrefixes } from '../../functions/ledger/table.ts';
import type { DataKey } from './data-key.ts';
import { tableProtection } from './lasting.ts';
import type { NodeFunction } from './node-function.ts';
import { refuseWithoutTls } from './tls-only.ts';
import { warmWrites } from './warm-throughput.ts';

/**
 * What a function may do with the ledger. `put` and `update` are for webhooks alone: who stores them answers to the whole
 * internet. `keepProgress` is for who may look at batches and change nothing of them, `keepEvents` for who tells of them.
 */
export type LedgerAccess =
  | 'read'
  | 'readMany'
  | 'readIndexes'
  | 'searchPayouts'
  | 'put'
  | 'update'
  | 'keepProgress'
  | 'keepEvents'
  | 'write'
  | 'delete';

/** Action names by kind of access. A transaction is allowed by the actions of its parts. */
const actions = {
  read: ['dynamodb:GetItem', 'dynamodb:Query'],
  readMany: ['dynamodb:BatchGetItem'],
  readIndexes: ['dynamodb:Query'],
  searchPayouts: ['dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  keepProgress: ['dynamodb:PutItem'],
  keepEvents: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  write: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'],
  delete: ['dynamodb:DeleteItem'],
} as const;

/** Items that an access is bound to, by what their partition keys start with; all others are to all items. */
const boundTo: Partial<Record<LedgerAccess, string>> = {
  put: partitionPrefixes.webhook,
  update: partitionPrefixes.webhook,
  keepProgress: partitionPrefixes.progress,
  keepEvents: partitionPrefixes.events,
};

const conditions = (kind: LedgerAccess) => {
  const prefix = boundTo[kind];
  return prefix === undefined ? {} : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${prefix}*`] } };
};

/** The one table that says what was paid, what was asked for and what is not known yet. Its keys: functions/ledger/ITEMS.md. */
export class PayoutLedger extends Construct {
  readonly table: TableV2;
  readonly #key: DataKey;

  constructor(scope: Construct, id: string, props: { readonly key: DataKey; readonly warmWritesPerSecond: number }) {
    super(scope, id);
    this.#key = props.key;
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    const { batchesByDay, open, payoutsByDestination } = ledgerTable.indexes;
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(ledgerTable.partitionKey),
      sortKey: text(ledgerTable.sortKey),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(props.key),
      ...warmWrites(props.warmWritesPerSecond),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      dynamoStream: StreamViewType[ledgerTable.stream],
      // Webhooks, look-ups for them, debts and events carry it: what proves a payment has no end of life.
      timeToLiveAttribute: ledgerTable.timeToLive,
      ...tableProtection(this),
      globalSecondaryIndexes: [
        {
          indexName: batchesByDay.name,
          partitionKey: text(batchesByDay.partitionKey),
          sortKey: text(batchesByDay.sortKey),
          projectionType: ProjectionType[batchesByDay.projection],
        },
        {
          indexName: open.name,
          partitionKey: text(open.partitionKey),
          sortKey: text(open.sortKey),
          projectionType: ProjectionType[open.projection],
        },
        {
          indexName: payoutsByDestination.name,
          partitionKey: text(payoutsByDestination.partitionKey),
          sortKey: text(payoutsByDestination.sortKey),
          projectionType: ProjectionType[payoutsByDestination.projection],
          // Every payout is written here as well, and what an index cannot take holds up its table.
          ...warmWrites(props.warmWritesPerSecond),
        },
      ],
    });
    refuseWithoutTls(this.table);
  }

  /** Allows exactly these kinds of access, each action by its name. */
  allow(user: NodeFunction, access: readonly LedgerAccess[]): void {
    for (const kind of access) {
      user.allow(actions[kind], this.#resourcesOf(kind), conditions(kind));
    }
    if (access.some((kind) => ['put', 'update', 'keepProgress', 'keepEvents', 'write'].includes(kind)))
      this.#key.allowWriting(user);
    else this.#key.allowReading(user);
  }

  #resourcesOf(kind: LedgerAccess): readonly string[] {
    const { batchesByDay, open, payoutsByDestination } = ledgerTable.indexes;
    const indexes = (...some: readonly { readonly name: string }[]) =>
      some.map(({ name }) => `${this.table.tableArn}/index/${name}`);
    if (kind === 'readIndexes') return indexes(batchesByDay, open);
    if (kind === 'searchPayouts') return [this.table.tableArn, ...indexes(batchesByDay, payoutsByDestination)];
    return [this.table.tableArn];
  }

  /** Wakes a function with changes of the table. That says what its items hold, but no more than the event source's filter lets through. */
  streamTo(
    reader: NodeFunction,
    id: string,
    source: Pick<EventSourceMappingOptions, 'filters' | 'retryAttempts' | 'reportBatchItemFailures'>,
  ): void {
    const streamArn = this.table.tableStreamArn;
    if (streamArn === undefined) throw new Error('The ledger has a stream');
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
