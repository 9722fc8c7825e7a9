import { holderOf, isSamePair, judgeLock, pairOf } from '../domain/money/conversion.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { FundsLedger } from '../ports/ledger/funds-ledger.ts';

/** Reads all locks, each with the conversion that it is held for, and judges them. */
export const judgeLocks = async (
  ledger: Pick<FundsLedger, 'listPairLocks' | 'listConversions'>,
  nowMs: number,
  settings: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
) =>
  Promise.all(
    (await ledger.listPairLocks()).map(async (lock) => {
      const holder = holderOf(lock);
      const conversions = holder === undefined ? [] : await ledger.listConversions(holder.batchId);
      // After its holder died, a conversion of another pair may have taken this number. This lock is not its own.
      const conversion = conversions.find(({ n, planned }) => n === holder?.n && isSamePair(pairOf(planned), lock));
      const state = holder === undefined ? 'in_doubt' : judgeLock(lock, conversion, nowMs, settings);
      return { ...lock, ...holder, state, conversion };
    }),
  );
