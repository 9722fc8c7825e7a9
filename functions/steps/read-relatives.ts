import type { Batch } from '../domain/batch.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import { getExistingBatch } from './step.ts';

/** What a correction corrects, and what that corrects in turn: the nearest first. Empty for a batch that corrects none. */
export const readCorrected = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  { corrects }: Pick<Batch, 'corrects'>,
): Promise<readonly Batch[]> => {
  const corrected: Batch[] = [];
  for (let next = corrects; next !== undefined; next = corrected.at(-1)?.corrects)
    corrected.push(await getExistingBatch(ledger, next));
  return corrected;
};

/** The batches whose rows a correction may hold by mistake: all that it corrects, and the other corrections of these. */
export const readRelatives = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  batch: Pick<Batch, 'batchId' | 'corrects'>,
): Promise<readonly Batch[]> => {
  const corrected = await readCorrected(ledger, batch);
  const known = new Set([batch.batchId, ...corrected.map(({ batchId }) => batchId)]);
  const others = new Set(corrected.flatMap(({ correctedBy }) => [...(correctedBy ?? [])])).difference(known);
  const corrections: Batch[] = [];
  for (const other of others) corrections.push(await getExistingBatch(ledger, other));
  return [...corrected, ...corrections.filter(({ mode }) => mode === 'disburse')];
};
