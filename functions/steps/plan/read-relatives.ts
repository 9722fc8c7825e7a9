import type { Batch } from '../../domain/batch/batch.ts';
import type { Relatives } from '../../domain/report/corrections.ts';
import { isTooManyInARow } from '../../domain/report/corrections.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';
import { getExistingBatch } from '../as-step.ts';

/**
 * Reads the batches whose rows a correction may contain by mistake: all batches that it corrects, and their other corrections.
 */
export const readRelatives = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  { batchId, corrects }: Pick<Batch, 'batchId' | 'corrects'>,
): Promise<Relatives> => {
  const corrected: Batch[] = [];
  for (let next = corrects; next !== undefined && !isTooManyInARow(corrected); next = corrected.at(-1)?.corrects)
    corrected.push(await getExistingBatch(ledger, next));
  const others = new Set(corrected.flatMap(({ correctedBy }) => [...(correctedBy ?? [])]));
  others.delete(batchId);
  return { corrected, corrections: await Array.fromAsync(others, (other) => getExistingBatch(ledger, other)) };
};
