import type { ChunkRecord } from '../../functions/domain/chunk.ts';
import type { ChunkContents, PayoutLedger } from '../../functions/ports/payout-ledger.ts';

/** A chunk that a test knows to be registered. */
export const registeredChunk = async (
  ledger: Pick<PayoutLedger, 'readChunk'>,
  batchId: string,
  chunk: number,
): Promise<ChunkContents> => {
  const contents = await ledger.readChunk(batchId, chunk);
  if (contents === undefined) throw new Error(`chunk ${chunk} of ${batchId} is not registered`);
  return contents;
};

/** Its record, added up again. */
export const refreshedRecord = async (
  ledger: Pick<PayoutLedger, 'refreshChunk'>,
  batchId: string,
  chunk: number,
): Promise<ChunkRecord> => {
  const record = await ledger.refreshChunk(batchId, chunk);
  if (record === undefined) throw new Error(`chunk ${chunk} of ${batchId} is not registered`);
  return record;
};
