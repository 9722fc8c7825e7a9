import type { Conversion } from '../domain/batch/batch.ts';
import { given } from '../domain/given.ts';
import type { LockState } from '../domain/money/conversion.ts';
import { holderOf, isSamePair, judgeLock, pairOf } from '../domain/money/conversion.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { FundsLedger, PairLock } from '../ports/ledger/funds-ledger.ts';

/** A lock, and the conversion that it is held for. */
interface JudgedLock extends PairLock {
  readonly state: LockState;
  readonly batchId?: string;
  readonly n?: number;
  readonly conversion?: Conversion;
}

/** Reads all locks with their conversions, and judges each. */
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
      // After its holder died, a conversion of another pair may have taken this number. This lock is not its own.
      const conversion = conversions.find(({ n, planned }) => n === holder.n && isSamePair(pairOf(planned), lock));
      const state = judgeLock(lock, conversion, nowMs, settings);
      return { ...lock, ...holder, state, ...given({ conversion }) };
    }),
  );
