import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions } from '../domain/batch/batch-status.ts';
import type { Needs } from '../ports/needs.ts';
import type { GiveBackDependencies } from './reservation.ts';
import { giveBackReservation } from './reservation.ts';

export type EndCanceledDependencies = GiveBackDependencies &
  Needs<{ ledger: 'moveBatch' | 'listConversions' | 'unlockPair' }>;

/**
 * Ends a batch that was canceled before any payout was registered. First gives back its reservation, and the locks that have no
 * claimed conversion. A conversion in doubt keeps its lock.
 */
export const endCanceled = async (
  dependencies: EndCanceledDependencies,
  batch: Batch,
): Promise<{ readonly batchId: string; readonly next: 'ended' }> => {
  const { ledger } = dependencies;
  const { batchId, funding } = batch;
  await giveBackReservation(dependencies, batch);
  if (funding !== undefined && funding.conversions.length > 0) {
    const n = (await ledger.listConversions(batchId)).length + 1;
    for (const planned of funding.conversions) await ledger.unlockPair({ batchId, n, planned });
  }
  await ledger.moveBatch(batchId, batchTransitions.cancel, 'system', {
    reason: { code: 'canceled', message: 'Canceled before anything was submitted. Nothing was paid.' },
    resumeTo: null,
  });
  return { batchId, next: 'ended' };
};
