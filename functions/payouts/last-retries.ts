import type { Payout } from '../domain/payout/payout.ts';
import { byPayoutKey, payoutKey } from '../domain/payout/payout.ts';
import { payoutStatusIs } from '../domain/payout/payout-status.ts';
import { retryReference } from '../domain/payout/retries.ts';
import type { PayoutId, PayoutLedger } from '../ports/ledger/payout-ledger.ts';

/** Rounds of retries of retries to look for. Nobody corrects a row more often. */
const maxRounds = 20;

/** Finds the payout that has the last retry's reference of each payout. Keyed by the original reference. */
const findHolders = async (
  ledger: Pick<PayoutLedger, 'findReferences'>,
  references: readonly string[],
): Promise<ReadonlyMap<string, PayoutId>> => {
  const last = new Map<string, PayoutId>();
  let pending = references.map((reference) => ({ reference, retry: retryReference(reference) }));
  for (let round = 1; pending.length > 0 && round <= maxRounds; round += 1) {
    const next = pending.map(({ retry }) => retry);
    const holders = await ledger.findReferences(next, { mayBeOld: true });
    pending = pending.flatMap(({ reference, retry }) => {
      const holder = holders.get(retry);
      if (holder === undefined) return [];
      last.set(reference, holder);
      return [{ reference, retry: retryReference(retry) }];
    });
  }
  return last;
};

/**
 * Reads the last retry of each payout that ended unpaid and was tried again. Keyed by the original reference. Eventually
 * consistent.
 */
export const readLastRetries = async (
  ledger: Pick<PayoutLedger, 'findReferences' | 'getPayouts'>,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, Payout>> => {
  const unpaid = payouts.filter(({ status }) => payoutStatusIs(status, 'endsUnpaid'));
  const references = unpaid.map(({ reference }) => reference);
  const holders = await findHolders(ledger, references);
  if (holders.size === 0) return new Map();
  const byKey = byPayoutKey(await ledger.getPayouts([...holders.values()], { mayBeOld: true }));
  const retries = new Map<string, Payout>();
  for (const [reference, holder] of holders) {
    const retry = byKey.get(payoutKey(holder));
    if (retry !== undefined) retries.set(reference, retry);
  }
  return retries;
};
