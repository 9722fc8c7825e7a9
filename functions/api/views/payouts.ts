import type { Payout } from '../../domain/payout.ts';
import { payoutStatusIs } from '../../domain/payout-status.ts';
import { retryReference } from '../../domain/retries.ts';
import type { PayoutId, PayoutLedger } from '../../ports/payout-ledger.ts';
import type { PayoutView } from '../schemas/payout.ts';
import { viewPayout } from './payout.ts';

/** Retries of retries that are looked for: nobody corrects a row more often. */
const mostRounds = 20;

const paidNobody = ({ status }: Payout): boolean => status !== 'completed' && !payoutStatusIs(status, 'isOpen');

const textOf = ({ batchId, chunk, row }: PayoutId): string => `${batchId} ${chunk} ${row}`;

type Retries = Pick<PayoutLedger, 'findReferences' | 'getPayouts'>;

/** Who holds the last reference of each payout's retries, by the payout's own reference. */
const findHolders = async (ledger: Retries, references: readonly string[]): Promise<ReadonlyMap<string, PayoutId>> => {
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

/**
 * Payouts as the API shows them, each that paid nobody with its last retry: whoever asks for the first reference must not
 * think that the recipient is still to be paid.
 */
export const viewPayouts = async (ledger: Retries, payouts: readonly Payout[]): Promise<PayoutView[]> => {
  const holders = await findHolders(
    ledger,
    payouts.filter(paidNobody).map(({ reference }) => reference),
  );
  const found = holders.size === 0 ? [] : await ledger.getPayouts([...holders.values()], { mayBeOld: true });
  const byId = new Map(found.map((retry) => [textOf(retry), retry]));
  return payouts.map((payout) => {
    const holder = holders.get(payout.reference);
    const retry = holder && byId.get(textOf(holder));
    if (retry === undefined) return viewPayout(payout);
    const { reference, batchId, status } = retry;
    return { ...viewPayout(payout), lastRetry: { reference, batchId, status } };
  });
};
