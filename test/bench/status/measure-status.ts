import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { getBatch } from '../../../functions/api/batches/get-batch.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { batchItem, lineItem } from '../../../functions/ledger/batches/batch-codec.ts';
import { conversionItem } from '../../../functions/ledger/funds/funds-codec.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import { chunkItem } from '../../../functions/ledger/payouts/payout-codec.ts';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';
import { marshalled } from '../../support/memory-table/marshalled.ts';
import { TableMeter } from '../metering/table-meter.ts';
import {
  batchId,
  largeBatch,
  largeBatchChunk,
  largeBatchConversion,
  largeBatchEvents,
  startedAt,
} from './large-batch.ts';

export interface StatusMeasure {
  readonly statusChunks: number;
  /** Read units of a status request after a long pause. */
  readonly statusReadUnits: number;
  /** Read units of another one within five seconds. */
  readonly statusReadUnitsAgain: number;
  /** Milliseconds of the first one, with all reads answered immediately. */
  readonly statusMs: number;
}

/** A million rows in calls of 98. */
const chunks = 10_205;

const item = z.record(z.string(), z.unknown());
const inDocuments = z.object({
  Key: item.optional(),
  Item: item.optional(),
  Items: z.array(item).optional(),
  ExpressionAttributeValues: item.optional(),
});

/** A request or answer of the document client in the wire format. */
const onTheWire = (message: object): object => {
  const { Key, Item, Items, ExpressionAttributeValues } = inDocuments.parse(message);
  return {
    ...message,
    ...(Key && { Key: marshalled(Key) }),
    ...(Item && { Item: marshalled(Item) }),
    ...(Items && { Items: Items.map(marshalled) }),
    ...(ExpressionAttributeValues && { ExpressionAttributeValues: marshalled(ExpressionAttributeValues) }),
  };
};

const operationOf = (command: unknown): { readonly name: string; readonly input: object } => {
  if (command instanceof GetCommand) return { name: 'GetItem', input: command.input };
  if (command instanceof QueryCommand) return { name: 'Query', input: command.input };
  if (command instanceof PutCommand) return { name: 'PutItem', input: command.input };
  throw new Error('a status request made an unexpected request to the ledger');
};

/**
 * Calls the endpoint itself for the status of a batch of a million rows, on the ledger's table in memory. Counts the cost of
 * its requests and answers.
 */
export const measureStatus = async (say: (line: string) => void): Promise<StatusMeasure> => {
  const table = memoryLedgerTable();
  say(`Writing the records of ${chunks.toLocaleString('en-US')} chunks`);
  const put = (one: Readonly<Record<string, unknown>>): void =>
    void table.answer(new PutCommand({ TableName: table.name, Item: { ...one } }));
  put({ ...batchItem(largeBatch(chunks)) });
  put({ ...conversionItem(largeBatchConversion) });
  for (const [index, event] of largeBatchEvents().entries())
    put({ ...lineItem(batchId, `${index}`.padStart(26), event) });
  for (let chunk = 1; chunk <= chunks; chunk += 1) put(chunkItem(largeBatchChunk(chunk)));

  let now = startedAt + 3_600_000;
  /** Read units of one status request, and the milliseconds it took. */
  const ask = async (): Promise<{ readonly units: number; readonly ms: number }> => {
    const meter = new TableMeter({
      table: table.name,
      keys: [ledgerTable.partitionKey, ledgerTable.sortKey],
      indexes: Object.values(ledgerTable.indexes),
    });
    const exchanges: (() => void)[] = [];
    const send = async (command: unknown): Promise<unknown> => {
      const answer = z.looseObject({}).parse(table.answer(command));
      exchanges.push(() => {
        const { name, input } = operationOf(command);
        meter.observe({
          method: 'POST',
          host: '',
          path: '/',
          target: `DynamoDB_20120810.${name}`,
          requestBody: Buffer.from(JSON.stringify(onTheWire(input))),
          status: 200,
          responseBody: Buffer.from(JSON.stringify(onTheWire(answer))),
        });
      });
      return answer;
    };
    const client: DynamoDBDocumentClient = Object.create(table.client, { send: { value: send } });
    const clock = (): number => now;
    const ids = { sortable: () => 'none', unique: () => 'none' };
    const ledger = createLedger({ client, table: table.name, clock, ids, random: () => 0 });
    const start = performance.now();
    const outcome = await getBatch(
      { ledger, workflow: { consoleUrl: (name) => name }, settings: orchestratorSettings().parse({}), clock },
      { path: { batchId }, query: {} },
    );
    const ms = performance.now() - start;
    if (outcome.kind === 'problem' || outcome.body.counts.completed === undefined)
      throw new Error('the batch shows no completed amount');
    for (const exchange of exchanges) exchange();
    return { units: meter.use.readUnits, ms };
  };

  say('Requesting the status twice');
  const first = await ask();
  now += 5000;
  const again = await ask();
  return {
    statusChunks: chunks,
    statusReadUnits: first.units,
    statusReadUnitsAgain: again.units,
    statusMs: first.ms,
  };
};
