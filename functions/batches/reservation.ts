import type { Batch } from '../domain/batch.ts';
import { currenciesOf, outstandingReservation } from '../domain/funding.ts';
import { addAmounts } from '../domain/money.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { FundsRecord } from '../ports/funds-ledger.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { PaymentProvider } from '../ports/provider.ts';

/** Tries against batches that reserve at the same time; each loss means that another one got through. */
const mostTries = 20;

/** The currencies in which a batch has set money aside. */
export const reservedFor = (batchId: string, funds: readonly FundsRecord[]): readonly FundsRecord[] =>
  funds.filter(({ reservations }) => reservations.some((reservation) => reservation.batchId === batchId));

/** Gives back whatever a batch has set aside, whatever others do meanwhile. Nothing set aside: nothing written. */
export const releaseReservation = async (
  ledger: Pick<Ledger, 'readFunds' | 'reserve'>,
  batch: Batch,
  settings: Pick<OrchestratorSettings, 'conversionSources'>,
): Promise<void> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const own = reservedFor(batch.batchId, await ledger.readFunds(currenciesOf(batch, settings)));
    if (own.length === 0 || (await ledger.reserve(batch.batchId, own, new Map()))) return;
  }
  throw new Error(`the reservation of batch ${batch.batchId} could not be given back in ${mostTries} tries`);
};

export interface TreasuryDependencies {
  readonly ledger: Pick<Ledger, 'readFunds' | 'readProgress'>;
  readonly provider: Pick<PaymentProvider, 'readBalances'>;
}

/**
 * What there is of these currencies, and what others have set aside of it. Reservations are read before balances: whatever
 * another batch submits in between then counts twice, as set aside and as gone from the balance, and never not at all.
 */
export const readTreasury = async (
  { ledger, provider }: TreasuryDependencies,
  batchId: string,
  currencies: readonly string[],
) => {
  const funds = await ledger.readFunds(currencies);
  const reservedByOthers = await readReservedByOthers(ledger, batchId, funds);
  return { funds, reservedByOthers, balances: await provider.readBalances() };
};

/** What other batches have set aside and not spent yet, by currency. */
const readReservedByOthers = async (
  ledger: Pick<Ledger, 'readProgress'>,
  batchId: string,
  funds: readonly FundsRecord[],
): Promise<ReadonlyMap<string, string>> => {
  const others = new Set(funds.flatMap(({ reservations }) => reservations.map((reservation) => reservation.batchId)));
  others.delete(batchId);
  const progress = new Map(
    await Promise.all(
      [...others].map(async (other) => [other, await ledger.readProgress(other, { consistent: true })] as const),
    ),
  );
  const outstanding = (other: string, reserved: string, currency: string): string => {
    const spent = progress.get(other);
    return spent === undefined ? reserved : outstandingReservation(reserved, spent, currency);
  };
  return new Map(
    funds.map(({ currency, reservations }) => [
      currency,
      addAmounts(
        ...reservations
          .filter((reservation) => reservation.batchId !== batchId)
          .map((reservation) => outstanding(reservation.batchId, reservation.amount, currency)),
      ),
    ]),
  );
};
