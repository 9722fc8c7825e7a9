import type { Batch } from '../domain/batch.ts';
import type { LockState } from '../domain/conversion.ts';
import { holderOf, judgeLock, lockHolder } from '../domain/conversion.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { FundsLedger, PairLock } from '../ports/funds-ledger.ts';

/** A lock, and what it is held for. */
export interface JudgedLock extends PairLock {
  readonly state: LockState;
  readonly batchId?: string;
  readonly n?: number;
}

/** Reads what every lock is held for. */
export const judgeLocks = async (
  ledger: Pick<FundsLedger, 'listPairLocks' | 'listConversions'>,
  nowMs: number,
  settings: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
): Promise<readonly JudgedLock[]> =>
  Promise.all(
    (await ledger.listPairLocks()).map(async (lock) => {
      const holder = holderOf(lock);
      if (holder === undefined) return { ...lock, state: 'in_doubt' };
      const conversions = await ledger.listConversions(holder.batchId);
      const conversion = conversions.find(({ n }) => n === holder.n);
      return { ...lock, ...holder, state: judgeLock(lock, conversion, nowMs, settings) };
    }),
  );

/** Releases what a batch that ends may hold without having claimed anything under it. A conversion in doubt keeps its lock. */
export const releaseUnclaimedLocks = async (
  ledger: Pick<FundsLedger, 'listConversions' | 'unlockPair'>,
  { batchId, funding }: Pick<Batch, 'batchId' | 'funding'>,
): Promise<void> => {
  const planned = funding?.conversions ?? [];
  if (planned.length === 0) return;
  const conversions = await ledger.listConversions(batchId);
  for (const { inputCurrency, outputCurrency } of planned)
    await ledger.unlockPair(inputCurrency, outputCurrency, lockHolder(batchId, conversions.length + 1));
};
