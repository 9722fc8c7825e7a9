import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Batch, Conversion, TimelineLine } from '../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../functions/domain/batch/chunk.ts';
import type { Payout } from '../../functions/domain/payout/payout.ts';
import { batchItem, readBatch, readLine } from '../../functions/ledger/batches/batch-codec.ts';
import { conversionItem, readConversion } from '../../functions/ledger/funds/funds-codec.ts';
import { createLedger } from '../../functions/ledger/ledger.ts';
import { chunkItem, payoutItem, readPayout } from '../../functions/ledger/payouts/payout-codec.ts';
import type { Clock } from '../../functions/ports/environment.ts';
import type { Ledger } from '../../functions/ports/ledger/ledger.ts';
import { memoryLedgerTable } from './memory-table/ledger-table.ts';

/** The ledger, with access to its table and shortcuts to states that take many steps to reach. */
export interface MemoryLedger extends Ledger {
  readonly batches: ReadonlyMap<string, Batch>;
  /** In order of their writing. */
  readonly payouts: readonly Payout[];
  readonly conversions: readonly Conversion[];
  /** Holder by `input~output`. */
  readonly locks: ReadonlyMap<string, string>;
  /** Timelines of all batches, without the batches' own moves. */
  readonly events: readonly TimelineLine[];
  putBatch(batch: Batch): void;
  putPayout(payout: Payout): void;
  putChunk(record: ChunkRecord): void;
  putConversion(conversion: Conversion): void;
}

/** The real ledger on the table in memory. */
export const createMemoryLedger = (clock: Clock, table = memoryLedgerTable()): MemoryLedger => {
  let made = 0;
  const ledger = createLedger({
    client: table.client,
    table: table.name,
    clock,
    ids: { sortable: () => `${++made}`.padStart(26, '0'), unique: () => `unique-${++made}` },
    random: () => 0,
    wait: async () => undefined,
  });
  const itemsOf = (kind: string) => table.items().filter(({ sk }) => String(sk).startsWith(kind));
  const put = (item: object) => void table.answer(new PutCommand({ TableName: table.name, Item: { ...item } }));
  return {
    ...ledger,
    get batches() {
      const own = table.items().filter(({ pk, sk }) => String(pk).startsWith('BATCH#') && sk === 'BATCH');
      return new Map(own.map(readBatch).map((batch) => [batch.batchId, batch]));
    },
    get payouts() {
      return itemsOf('PAYOUT#').map(readPayout);
    },
    get conversions() {
      return itemsOf('CONVERSION#').map(readConversion);
    },
    get locks() {
      return new Map(itemsOf('LOCK#').map(({ sk, holder }) => [String(sk).slice('LOCK#'.length), String(holder)]));
    },
    get events() {
      return itemsOf('EVENT#')
        .map(readLine)
        .filter(({ code }) => !code.startsWith('batch.'));
    },
    putBatch: (batch) => put(batchItem(batch)),
    putPayout: (payout) => put(payoutItem(payout)),
    putChunk: (record) => put(chunkItem(record)),
    putConversion: (conversion) => put(conversionItem(conversion)),
  };
};
