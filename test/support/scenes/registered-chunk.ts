import type { ChunkRecord } from '../../../functions/domain/batch/chunk.ts';
import type { ChunkContents, PayoutLedger } from '../../../functions/ports/ledger/payout-ledger.ts';

const known = <Found>(found: Found | undefined, batchId: string, chunk: number): Found => {
  if (found === undefined) throw new Error(`chunk ${chunk} of ${batchId} is not registered`);
  return found;
};

/** A chunk that must be registered. */
export const registeredChunk = async (
  ledger: Pick<PayoutLedger, 'readChunk'>,
  batchId: string,
  chunk: number,
): Promise<ChunkContents> => known(await ledger.readChunk(batchId, chunk), batchId, chunk);

/** Its record after a recount. */
export const refreshedRecord = async (
  ledger: Pick<PayoutLedger, 'refreshChunk'>,
  batchId: string,
  chunk: number,
): Promise<ChunkRecord> => known(await ledger.refreshChunk(batchId, chunk), batchId, chunk);
