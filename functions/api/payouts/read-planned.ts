import type { PlannedPayout } from '../../domain/batch/chunk-file.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { isHashOf } from '../../domain/payout/destination.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { Files } from '../../ports/files.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';

/**
 * A payout as planned, with its recipient, from its sealed chunk file. The ledger has only a hash of the destination.
 *
 * @throws FileAltered or FileGone when the chunk file was changed or deleted; InvariantBroken when it differs from the ledger, or
 *   the batch has no plan
 */
export const readPlanned = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  files: Pick<Files, 'getChunk'>,
  { batchId, chunk, row, destinationHash }: Payout,
): Promise<PlannedPayout> => {
  const { plan } = (await ledger.getBatch(batchId)) ?? {};
  if (plan === undefined) throw new InvariantBroken(`batch ${batchId} has payouts and no plan`);
  const { payouts } = await files.getChunk(plan, chunk);
  const planned = payouts.find((one) => one.row === row);
  if (planned === undefined || !isHashOf(destinationHash, planned.recipient))
    throw new InvariantBroken(`row ${row}: the chunk file differs from the ledger`);
  return planned;
};
