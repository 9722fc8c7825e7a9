import { judgeLocks } from '../batches/conversion-locks.ts';
import type { Needs } from '../ports/needs.ts';
import { bind, ledger, log, pace, settings } from '../runtime.ts';
import { endpoint } from './endpoint.ts';
import type { OutcomeOf } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { lockView } from './schemas/funding.ts';
import * as operations from './schemas/operations/batch-operations.ts';
import { adviceOnConversion } from './views/payout-advice.ts';
import { shown } from './views/shown.ts';

export type GetFundsDependencies = Needs<
  {
    ledger: 'getBatch' | 'listFundedCurrencies' | 'readFunds' | 'listPairLocks' | 'listConversions';
    settings: 'resolveAfterSeconds';
    pace: 'state';
  },
  'clock'
>;

/**
 * Lists money reserved for batches, locked currency pairs with their conversions, and the current request rate to the provider.
 */
export const getFunds = async ({
  ledger,
  settings,
  clock,
  pace,
}: GetFundsDependencies): Promise<OutcomeOf<typeof operations.getFunds>> => {
  const funds = await ledger.readFunds(await ledger.listFundedCurrencies());
  const reservations = await Promise.all(
    funds.flatMap(({ reservations: held }) =>
      held.map(async ({ batchId, amount: { currency, amount } }) => {
        const batch = await ledger.getBatch(batchId);
        return { currency, batchId, amount, batchStatus: batch?.status ?? 'unknown' };
      }),
    ),
  );
  const locks = (await judgeLocks(ledger, clock(), settings)).map((lock) =>
    shown(lockView, {
      ...lock,
      conversion: lock.n,
      since: lock.lockedAt,
      wayOut:
        lock.state === 'in_doubt' && lock.batchId !== undefined && lock.n !== undefined
          ? adviceOnConversion(lock.batchId, lock.n)
          : undefined,
    }),
  );
  return answer(200, { reservations, locks, providerPace: [...(await pace.state())] });
};

export const handler = endpoint(log, operations.getFunds, bind(getFunds, { ledger, settings, pace }));
