import { judgeLocks } from '../batches/conversion-locks.ts';
import type { Batch, PlannedConversion } from '../domain/batch.ts';
import type { Waiting } from './await-funds.ts';
import { awaitFunds } from './await-funds.ts';
import type { ConvertDependencies } from './settle-conversion.ts';

/** Seconds until another batch's conversion of the same pair is likely done. */
const lockedRetrySeconds = 15;

/**
 * What a batch does whose pair is locked by another: it waits while the other is at work. From a holder that is gone and
 * posted nothing, or whose conversion has ended, the lock is taken. While the other's outcome is in doubt it stays locked,
 * and a person is told each time somebody waits for it.
 */
export const awaitLock = async (
  dependencies: ConvertDependencies,
  batch: Batch,
  { inputCurrency, outputCurrency }: PlannedConversion,
): Promise<Waiting> => {
  const { ledger, settings, clock, log } = dependencies;
  const { batchId } = batch;
  const locks = await judgeLocks(ledger, clock(), settings);
  const lock = locks.find((one) => one.inputCurrency === inputCurrency && one.outputCurrency === outputCurrency);
  if (lock === undefined) return { batchId, next: 'wait', waitSeconds: 1 };
  const ids = { batchId, holder: lock.holder, pair: `${inputCurrency}~${outputCurrency}` };
  switch (lock.state) {
    case 'idle':
      log.warn('conversion.lock_taken', { ...ids, taken: await ledger.breakPairLock(lock) });
      return { batchId, next: 'wait', waitSeconds: 1 };
    case 'held':
      return { batchId, next: 'wait', waitSeconds: lockedRetrySeconds };
    case 'in_doubt':
      log.alarm('TreasuryLockStuck', ids);
      return awaitFunds(dependencies, batch, {
        code: 'conversion_locked',
        message: `Conversion ${lock.n ?? '?'} of batch ${lock.batchId ?? '?'} from ${inputCurrency} to ${outputCurrency} is in doubt: no other is made of that pair until it is settled.`,
      });
  }
};
