import type { Payout } from '../domain/payout/payout.ts';
import { payoutKey } from '../domain/payout/payout.ts';
import { payoutStatusIs } from '../domain/payout/payout-status.ts';
import { retryReference } from '../domain/payout/retries.ts';
import type { PayoutId, PayoutLedger } from '../ports/ledger/payout-ledger.ts';

/** Retries of retries that are looked for: nobody corrects a row more often. */
const mostRounds = 20;

/** Who holds the last reference of each payout's retries, by the payout's own reference. */
const findHolders = async (
  ledger: Pick<PayoutLedger, 'findReferences'>,
  references: readonly string[],
): Promise<ReadonlyMap<string, PayoutId>> => {
  const last = new Map<string, PayoutId>();
  let asked = references.map((reference) => ({ reference, retry: retryReference(reference) }));
  for (let round = 1; asked.length > 0 && round <= mostRounds; round += 1) {
    const holders = await ledger.findReferences(
      asked.map(({ retry }) => retry),
      { mayBeOld: true },
    );
    asked = asked.flatMap(({ reference, retry }) => {
      const holder = holders.get(retry);
      if (holder === undefined) return [];
      last.set(reference, holder);
      return [{ reference, retry: retryReference(retry) }];
    });
  }
  return last;
};

/** The last retry of each payout that paid nobody and was tried again, by the payout's own reference. It may be a moment old. */
export const readLastRetries = async (
  ledger: Pick<PayoutLedger, 'findReferences' | 'getPayouts'>,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, Payout>> => {
  const unpaid = payouts.filter(({ status }) => payoutStatusIs(status, 'isRefunded'));
  const holders = await findHolders(
    ledger,
    unpaid.map(({ reference }) => reference),
  );
  if (holders.size === 0) return new Map();
  const read = await ledger.getPayouts([...holders.values()], { mayBeOld: true });
  const byKey = new Map(read.map((retry) => [payoutKey(retry), retry]));
  const retries = new Map<string, Payout>();
  for (const [reference, holder] of holders) {
    const retry = byKey.get(payoutKey(holder));
    if (retry !== undefined) retries.set(reference, retry);
  }
  return retries;
};
