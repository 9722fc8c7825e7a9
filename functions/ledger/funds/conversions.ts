import { isDeepStrictEqual } from 'node:util';
import type { Conversion } from '../../domain/batch/batch.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { amountsOf, isInDoubt, isMade, lockHolder } from '../../domain/money/conversion.ts';
import { Money } from '../../domain/money/money.ts';
import { isoNow } from '../../ports/environment.ts';
import type { FundsLedger } from '../../ports/ledger/funds-ledger.ts';
import { eventItem, eventOf } from '../batches/batch-codec.ts';
import { batchThat, beingFunded } from '../batches/batch-condition.ts';
import { absent, and, equals, oneOf, present } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { Item, LedgerDependencies } from '../table/store.ts';
import { createStore, startingWith } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { createReadCurrency, nextVersion, pairLock, releasing, reservationWrites } from './funds.ts';
import { conversionItem, readConversion } from './funds-codec.ts';

/** Tries against batches that reserve at the same time; each loss means that another one got through. */
const mostTries = 20;

/** Claiming conversions and recording what became of them. */
export const createConversions = (
  dependencies: LedgerDependencies,
): Pick<FundsLedger, 'claimConversion' | 'recordConversion' | 'listConversions'> => {
  const { clock, ids } = dependencies;
  const store = createStore(dependencies);
  const readCurrency = createReadCurrency(store);

  /** As claimCall: a claim id new to each invocation makes finding one's own the proof of a lost answer only. */
  const claimConversion: FundsLedger['claimConversion'] = async (conversion, output) => {
    const { batchId, n, claimId, planned } = conversion;
    const result = await store.transact([
      { kind: 'put', item: conversionItem(conversion), condition: absent('pk'), returnsOld: true },
      {
        kind: 'check',
        key: keys.batch(batchId),
        // Of one that disburses all is there: it was found short before another run of it saw the money.
        condition: and(batchThat('mayReserve'), present('release')),
      },
      // Another run of the batch may have given the lock back meanwhile: then somebody else may be converting the pair.
      {
        kind: 'check',
        key: pairLock(planned),
        condition: equals('holder', lockHolder(batchId, n)),
      },
      ...nextVersion(output),
    ]);
    if (result.kind === 'written') return { kind: 'claimed' };
    const [item] = result.writes;
    if (item?.item === undefined) return { kind: 'stopped' };
    const standing = readConversion(item.item);
    return standing.claimId === claimId ? { kind: 'claimed' } : { kind: 'taken', conversion: standing };
  };

  /** What the batch has set aside once the conversion has happened: what it brought instead of what it took. */
  const owning = async (conversion: Conversion): Promise<readonly Write[]> => {
    const { batchId } = conversion;
    const { input, output } = amountsOf(conversion);
    const held = async (currency: string, change: (own: Money) => Money): Promise<readonly Write[]> => {
      const record = await readCurrency(currency);
      const own = record.reservations.find((reservation) => reservation.batchId === batchId);
      return reservationWrites(batchId, record, change(own?.amount ?? Money.zero(currency)), isoNow(clock));
    };
    return [
      { kind: 'check', key: keys.batch(batchId), condition: beingFunded },
      ...(await held(output.currency, (own) => own.plus(output))),
      ...(await held(input.currency, (own) => own.minusDownToZero(input))),
    ];
  };

  const recordConversion: FundsLedger['recordConversion'] = async (conversion, from, audit) => {
    const { batchId, n, claimId } = conversion;
    const condition = and(equals('claimId', claimId), oneOf('status', from));
    const told = audit === undefined ? [] : [eventItem(batchId, ids.sortable(), eventOf(isoNow(clock), audit))];
    const writes: readonly Write[] = [
      { kind: 'put', item: conversionItem(conversion), condition, returnsOld: true },
      ...told.map((item) => ({ kind: 'put', item, condition: absent('pk') }) as const),
      ...(isInDoubt(conversion) ? [] : [releasing(conversion)]),
    ];
    let isOwned = isMade(conversion);
    for (let tries = 0; tries < mostTries; tries += 1) {
      const result = await store.transact([...writes, ...(isOwned ? await owning(conversion) : [])]);
      if (result.kind === 'written') return true;
      const [standing] = result.writes;
      if (standing?.failed === true) return isSame(conversion, standing.item);
      // Nobody would give back what is set aside for a batch that is not being funded any more.
      if (result.writes[writes.length]?.failed === true) isOwned = false;
    }
    throw new Error(`conversion ${n} of batch ${batchId} could not be recorded in ${mostTries} tries`);
  };

  /** What stands may be what was to be written: then only the first attempt's answer was lost. */
  const isSame = (conversion: Conversion, standing: Item | undefined): boolean => {
    if (standing === undefined) throw new InvariantBroken(`conversion_missing: ${conversion.batchId} ${conversion.n}`);
    return isDeepStrictEqual(readConversion(standing), { ...conversion });
  };

  const listConversions: FundsLedger['listConversions'] = async (batchId) =>
    Array.fromAsync(
      store.query({ pk: partitions.batch(batchId), ...startingWith(sortPrefixes.conversion) }),
      readConversion,
    );

  return { claimConversion, recordConversion, listConversions };
};
