import { InvariantBroken } from '../../domain/errors.ts';
import { endedConversionStatuses, lockHolder, pairOf } from '../../domain/money/conversion.ts';
import { Money } from '../../domain/money/money.ts';
import { moneyIn } from '../../domain/money/money-by-currency.ts';
import { isoNow } from '../../ports/environment.ts';
import type { FundsLedger, FundsRecord, LockingConversion } from '../../ports/ledger/funds-ledger.ts';
import { batchThat } from '../batches/batch-condition.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, and, equals, oneOf, or, setting } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies, Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { checking, deleting, updating } from '../table/writes.ts';
import { readFundedCurrency, readFundsVersion, readPairLock, readReservation, reservationItem } from './funds-codec.ts';

/** The condition that a currency's reservations have not changed since they were read. Version 0 is before the first change. */
const versionAsRead = ({ version }: FundsRecord): Expression =>
  version === 0 ? absent('version') : equals('version', version);

/**
 * Reads the version before the reservations. If a batch reserves in between, the amounts are newer than the version, and a
 * reservation based on them fails its condition. In the opposite order it would pass.
 */
export const readCurrency = async (store: Store, currency: string): Promise<FundsRecord> => {
  const funds = await store.read(keys.fundsVersion(currency), readFundsVersion);
  const pk = partitions.funds(currency);
  const reservations = await store.list(pk, sortPrefixes.reservation, readReservation(currency));
  return { currency, version: funds?.version ?? 0, reservations };
};

/** Counts one more change of a currency's reservations. A decision based on the version before it then fails. */
export const nextVersion = (record: FundsRecord): readonly Write[] => [
  updating(keys.fundsVersion(record.currency), setting({ version: record.version + 1 }), versionAsRead(record)),
  // Written with a currency's first change and kept forever, so that all currencies with reservations can be listed.
  ...(record.version === 0 ? [updating(keys.currency(record.currency), setting({ currency: record.currency }))] : []),
];

/**
 * Replaces a batch's reservation in one currency.
 *
 * @param amount zero removes it
 */
export const reservationWrites = (
  batchId: string,
  record: FundsRecord,
  amount: Money,
  now: string,
): readonly Write[] => {
  if (!amount.isAtLeast(Money.zero(record.currency))) throw new InvariantBroken('reservation_negative');
  const { currency, reservations } = record;
  const held = reservations.find((reservation) => reservation.batchId === batchId);
  if (amount.equals(held?.amount ?? Money.zero(currency)))
    return [checking(keys.fundsVersion(currency), versionAsRead(record))];
  return [
    ...nextVersion(record),
    amount.isZero()
      ? deleting(keys.reservation(currency, batchId))
      : {
          kind: 'put',
          item: reservationItem({ batchId, amount: amount.canonical() }, now),
          // The version already guards the reservation: the stored amount is the one that was read.
          condition: held === undefined ? absent('pk') : equals('amount', held.amount.amount),
        },
  ];
};

/** Unlocks a conversion's pair. Succeeds when there is no lock; fails when another conversion holds it. */
export const unlocking = ({ batchId, n, planned }: LockingConversion): Write =>
  deleting(keys.pairLock(pairOf(planned)), or(absent('pk'), equals('holder', lockHolder(batchId, n))));

/** Money reserved for batches, and the treasury's locks. */
export const createFunds = ({ store, clock }: PartDependencies) =>
  ({
    readFunds: (currencies) => Promise.all([...new Set(currencies)].map((currency) => readCurrency(store, currency))),

    listFundedCurrencies: () =>
      store.list(partitions.currencies, sortPrefixes.currency, (item) => readFundedCurrency(item).currency),

    reserve: async (batchId, read, amounts, { whileFunded = false, since } = {}) => {
      const known = new Set(read.map(({ currency }) => currency));
      const unread = [...amounts.keys()].find((currency) => !known.has(currency));
      if (unread !== undefined) throw new InvariantBroken(`reservation_of_unread_currency: ${batchId} ${unread}`);
      const writes = read.flatMap((record) =>
        reservationWrites(batchId, record, moneyIn(amounts, record.currency), isoNow(clock)),
      );
      if (writes.length === 0) return true;
      // Otherwise a run that outlived its batch would reserve money that nobody gives back.
      const reservesMoney = [...amounts.values()].some((amount) => !amount.isZero());
      // One check, because a transaction may name an item only once.
      const conditions = [
        ...(reservesMoney || whileFunded ? [batchThat('mayReserve')] : []),
        ...(since === undefined ? [] : [equals('statusSince', since)]),
      ];
      const check = conditions.length === 0 ? [] : [checking(keys.batch(batchId), and(...conditions))];
      return (await store.transact([...writes, ...check])).kind === 'written';
    },

    lockPair: async ({ batchId, n, planned }) => {
      const holder = lockHolder(batchId, n);
      const pair = pairOf(planned);
      const isFree = or(absent('holder'), equals('holder', holder));
      const lock = setting({ ...pair, holder, lockedAt: isoNow(clock) });
      const result = await store.update(keys.pairLock(pair), lock, isFree);
      return result.kind === 'written';
    },

    unlockPair: async (conversion) => {
      const key = keys.conversion(conversion.batchId, conversion.n);
      const isNotInDoubt = or(absent('pk'), oneOf('status', endedConversionStatuses));
      await store.transact([unlocking(conversion), checking(key, isNotInDoubt)]);
    },

    listPairLocks: () => store.list(partitions.pairLocks, sortPrefixes.pairLock, readPairLock),

    breakPairLock: async (lock) => {
      const unchanged = and(equals('holder', lock.holder), equals('lockedAt', lock.lockedAt));
      return (await store.remove(keys.pairLock(lock), unchanged)).kind === 'written';
    },
  }) satisfies Partial<FundsLedger>;
