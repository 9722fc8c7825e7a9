import type { Batch } from '../domain/batch/batch.ts';
import { isBeingFunded } from '../domain/batch/batch-status.ts';
import { otherAccountOf } from '../domain/batch/plan.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { amountsOf, isInDoubt } from '../domain/money/conversion.ts';
import type { FundingSituation } from '../domain/money/funding.ts';
import { currenciesOf, heldBalance, requiredFunds } from '../domain/money/funding.ts';
import type { Money } from '../domain/money/money.ts';
import { sumByCurrency } from '../domain/money/money-by-currency.ts';
import type { FundsRecord } from '../ports/ledger/funds-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import { judgeLocks } from './conversion-locks.ts';

export type GiveBackDependencies = Needs<{ ledger: 'readFunds' | 'reserve'; settings: 'conversionSources' }>;

/** Attempts while other batches reserve concurrently. Each refused attempt means that another batch succeeded. */
const mostAttempts = 20;

/** Returns the currencies in which a batch has reserved money. */
export const reservedFor = (batchId: string, funds: readonly FundsRecord[]): readonly FundsRecord[] =>
  funds.filter(({ reservations }) => reservations.some((reservation) => reservation.batchId === batchId));

/**
 * Gives back a batch's whole reservation, even while others reserve. Writes nothing when nothing is reserved.
 *
 * @throws Error after 20 refused attempts
 */
export const giveBackReservation = async ({ ledger, settings }: GiveBackDependencies, batch: Batch): Promise<void> => {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const own = reservedFor(batch.batchId, await ledger.readFunds(currenciesOf(batch, settings)));
    if (own.length === 0 || (await ledger.reserve(batch.batchId, own, new Map()))) return;
  }
  throw new Error(`the reservation of batch ${batch.batchId} could not be given back in ${mostAttempts} attempts`);
};

/**
 * Gives back the reservation of a batch that is still as it was read: paused before it disburses, waiting for the provider before
 * its release, or about to be refused. If it goes on later, PlanFunding reserves its money again.
 *
 * @returns false when others reserved concurrently, or the batch moved: the next look finds the remaining reservation
 */
export const giveBackIfUnchanged = async (
  { ledger, settings }: GiveBackDependencies,
  batch: Batch,
): Promise<boolean> => {
  const own = reservedFor(batch.batchId, await ledger.readFunds(currenciesOf(batch, settings)));
  return own.length === 0 || ledger.reserve(batch.batchId, own, new Map(), { since: batch.statusSince });
};

type TreasuryDependencies = Needs<
  {
    ledger: 'readFunds' | 'readProgress' | 'getBatch' | 'listPairLocks' | 'listConversions';
    provider: 'account' | 'readBalances';
    settings: 'resolveAfterSeconds';
  },
  'clock'
>;

/** Milliseconds a batch waits for conversions and payouts in doubt. Lookups normally resolve them within half of that. */
const unclearAtMostMs = 30 * 60_000;

/**
 * Reads how much a batch needs in these currencies, the balances, and the money that others hold and expect. The versions are
 * read first, and the balances between two reads of the others' progress: see functions/steps/funding/CONVERSIONS.md for why.
 * `unclearSince` is set when the wait is over: money in doubt then counts as unpaid.
 */
export const readTreasury = async (
  { ledger, provider, settings, clock }: TreasuryDependencies,
  { batchId, plan, fees = [], funding }: Batch,
  currencies: readonly string[],
) => {
  const funds = await ledger.readFunds(currencies);
  const locks = await judgeLocks(ledger, clock(), settings);
  const inDoubt = locks.flatMap(({ conversion }) => (conversion && isInDoubt(conversion) ? [conversion] : []));
  const reserved = funds.flatMap(({ reservations }) => reservations);
  const ids = new Set([...reserved, ...inDoubt].map((one) => one.batchId));
  ids.delete(batchId);
  const others = await Promise.all([...ids].map((other) => readOther(ledger, other)));
  const balances = await provider.readBalances();
  const heldByOthers: Money[] = [];
  const doubtful: Money[] = [];
  for (const { batch, before } of others) {
    // Its money is in the balance of the account that it was planned for.
    if (otherAccountOf(batch, provider.account) !== undefined) continue;
    const after = await ledger.readProgress(batch.batchId, { consistent: true });
    for (const { amount } of reserved.filter((one) => one.batchId === batch.batchId)) {
      const planned = batch.plan?.currencies.find((one) => one.currency === amount.currency);
      const { most, least } = heldBalance(amount, planned, [before, after]);
      heldByOthers.push(most);
      doubtful.push(most.minusDownToZero(least));
    }
    if (!isBeingFunded(batch)) continue;
    for (const conversion of inDoubt.filter((one) => one.batchId === batch.batchId)) {
      const { input, output } = amountsOf(conversion);
      heldByOthers.push(output);
      // Nobody waits for an older one: a person settles it. Both amounts of a younger one may or may not have moved yet.
      if (clock() - Date.parse(conversion.claimedAt) >= settings.resolveAfterSeconds * 1000) continue;
      doubtful.push(input, output);
    }
  }
  const { unclearSince } = funding ?? {};
  const isOverdue = unclearSince !== undefined && clock() - Date.parse(unclearSince) >= unclearAtMostMs;
  const situation: FundingSituation = {
    required: requiredFunds(plan?.currencies ?? [], fees),
    balances,
    reservedByOthers: sumByCurrency(heldByOthers),
    inDoubt: sumByCurrency(doubtful),
  };
  if (!isOverdue || !doubtful.some((amount) => amount.isPositive())) return { funds, situation };
  return { funds, situation: { ...situation, inDoubt: new Map() }, unclearSince };
};

const readOther = async (ledger: TreasuryDependencies['ledger'], batchId: string) => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new InvariantBroken(`reservation_of_no_batch: ${batchId}`);
  return { batch, before: await ledger.readProgress(batchId, { consistent: true }) };
};
