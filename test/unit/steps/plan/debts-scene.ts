import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { createFiles } from '../../../../functions/files/files.ts';
import type { NewBatch } from '../../../../functions/ports/ledger/batch-ledger.ts';
import { documentedTraits } from '../../../../functions/provider/settings.ts';
import { planBatch } from '../../../../functions/steps/plan-batch.ts';
import { MemoryBucket } from '../../../support/memory-bucket.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { memoryLedgerTable } from '../../../support/memory-table/ledger-table.ts';
import { newBatch } from '../../../support/scenes/new-batch.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { methods } from '../../domain/payout-file/plan-bytes.ts';

const columns = 'reference,amount,currency,recipientId,bankCode,bankName,accountNumber,accountName\n';
/** A row of a file, to a recipient id or to an account. */
export const toId = (reference: string, amount: string, id: string) => `${reference},${amount},IDR,${id},,,,\n`;
export const toAccount = (reference: string, account: string) =>
  `${reference},50000,IDR,,bca,BCA,${account},Siti Rahma\n`;

/** Batches planned, and paid, over days. */
export const createScene = (changed: Readonly<Record<string, unknown>> = {}) => {
  const time = { now: Date.parse('2026-11-21T08:00:00Z') };
  const clock = () => time.now;
  const table = memoryLedgerTable();
  const ledger = createMemoryLedger(clock, table);
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  let made = 0;
  const files = createFiles({ s3, uploads: s3, bucket: 'files', clock });
  const dependencies = {
    ledger,
    files,
    provider: {
      account: 'one',
      traits: { ...documentedTraits(), payoutsPerCall: 2 },
      listPaymentMethods: async (rail: string) => methods.filter((method) => method.rail === rail),
    },
    // Planning allocates for the most rows.
    settings: orchestratorSettings().parse({ maxRows: 10_000, ...changed }),
    clock,
    ids: { sortable: () => `run-${++made}`, unique: () => `unique-${++made}` },
    log: silentLog,
  };
  const start = async (rows: string, changes: Partial<NewBatch> = {}): Promise<string> => {
    const { batchId, file } = newBatch();
    const versionId = bucket.put(file.key, Buffer.from(columns + rows));
    await ledger.createBatch(newBatch({ batchId, file: { ...file, versionId }, ...changes }));
    return batchId;
  };
  const plan = async (batchId: string) => {
    await planBatch(dependencies, { batchId });
    return (await ledger.getBatch(batchId))?.plan;
  };
  return {
    ledger,
    /** The table removes what has expired as soon as it may. */
    passDays: (days: number): void => {
      time.now += days * 86_400_000;
      for (const { pk, sk, expiresAt } of table.items())
        if (typeof expiresAt === 'number' && expiresAt * 1000 < time.now)
          table.answer(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    },
    time,
    start,
    plan,
    run: async (rows: string, changes: Partial<NewBatch> = {}) => {
      const batchId = await start(rows, changes);
      return { batchId, repeated: (await plan(batchId))?.repeatedDebts };
    },
    /** Registers the payouts of a batch, with these changes. */
    register: async (batchId: string, become: Partial<Payout> = {}) => {
      const summary = (await ledger.getBatch(batchId))?.plan;
      for (let chunk = 1; summary !== undefined && chunk <= summary.chunks; chunk += 1) {
        const planned = await files.getChunk(summary, chunk);
        const { payouts } = await ledger.registerPayouts(planned);
        for (const payout of payouts) ledger.putPayout({ ...payout, ...become });
      }
    },
    listOf: (key: string) => bucket.content(key)?.toString() ?? '',
  };
};
