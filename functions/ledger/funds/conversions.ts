import { isDeepStrictEqual } from 'node:util';
import type { Conversion } from '../../domain/batch/batch.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { amountsOf, isInDoubt, isMade, lockHolder, pairOf } from '../../domain/money/conversion.ts';
import { Money } from '../../domain/money/money.ts';
import { isoNow } from '../../ports/environment.ts';
import type { FundsLedger } from '../../ports/ledger/funds-ledger.ts';
import { lineWrite } from '../batches/batch-codec.ts';
import { batchThat, beingFunded } from '../batches/batch-condition.ts';
import { and, equals, oneOf, present } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { Item, PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { checking, creating, returningOld } from '../table/writes.ts';
import { nextVersion, readCurrency, reservationWrites, unlocking } from './funds.ts';
import { conversionItem, readConversion } from './funds-codec.ts';

/** Attempts when other batches reserve concurrently. Each failure means that another one succeeded. */
const mostAttempts = 20;

/** Claims conversions and records their outcomes. */
export const createConversions = ({ store, clock, ids }: PartDependencies) => {
  /** Works like claimCall: each invocation has a new claim id, so finding its own proves that only the response was lost. */
  const claimConversion: FundsLedger['claimConversion'] = async (conversion, output, reserved) => {
    const { batchId, n, claimId, planned } = conversion;
    const result = await store.transact([
      returningOld(creating(conversionItem(conversion))),
      // A batch that already disburses has its money: another run found it after this one found the batch short.
      checking(keys.batch(batchId), and(batchThat('mayReserve'), present('release'))),
      // Another run of the batch may have removed the lock, and another batch may be converting the pair.
      checking(keys.pairLock(pairOf(planned)), equals('holder', lockHolder(batchId, n))),
      ...nextVersion(output),
      // Another run of the batch may have given back what the conversion takes, and another batch may have reserved it.
      checking(keys.reservation(planned.input.currency, batchId), equals('amount', reserved.amount)),
    ]);
    if (result.kind === 'written') return { kind: 'claimed' };
    const [item] = result.writes;
    if (item?.item === undefined) return { kind: 'stopped' };
    const stored = readConversion(item.item);
    return stored.claimId === claimId ? { kind: 'claimed' } : { kind: 'taken', conversion: stored };
  };

  /** Writes that add the conversion's output to the batch's reservations, and take its input off. */
  const reservingOutput = async (conversion: Conversion): Promise<readonly Write[]> => {
    const { batchId } = conversion;
    const { input, output } = amountsOf(conversion);
    const held = async (currency: string, change: (own: Money) => Money): Promise<readonly Write[]> => {
      const record = await readCurrency(store, currency);
      const own = record.reservations.find((reservation) => reservation.batchId === batchId);
      return reservationWrites(batchId, record, change(own?.amount ?? Money.zero(currency)), isoNow(clock));
    };
    return [
      checking(keys.batch(batchId), beingFunded),
      ...(await held(output.currency, (own) => own.plus(output))),
      ...(await held(input.currency, (own) => own.minusDownToZero(input))),
    ];
  };

  const recordConversion: FundsLedger['recordConversion'] = async (conversion, from, audit) => {
    const { batchId, n, claimId } = conversion;
    const condition = and(equals('claimId', claimId), oneOf('status', from));
    const put: Write = { kind: 'put', item: conversionItem(conversion), condition, returnsOld: true };
    const others: readonly Write[] = [
      ...(audit === undefined ? [] : [lineWrite(batchId, ids.sortable(), { ...audit, at: isoNow(clock) })]),
      ...(isInDoubt(conversion) ? [] : [unlocking(conversion)]),
    ];
    let keepsOutput = isMade(conversion);
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const result = await store.transact([put, ...(keepsOutput ? await reservingOutput(conversion) : []), ...others]);
      if (result.kind === 'written') return true;
      const [stored, funded] = result.writes;
      if (stored?.failed === true) return isSame(conversion, stored.item);
      // A batch that is no longer being funded would never give the reservation back.
      if (keepsOutput && funded?.failed === true) keepsOutput = false;
    }
    throw new Error(`conversion ${n} of batch ${batchId} could not be recorded in ${mostAttempts} attempts`);
  };

  /** True when the stored conversion equals the one to write: then only the first attempt's response was lost. */
  const isSame = (conversion: Conversion, stored: Item | undefined): boolean => {
    if (stored === undefined) throw new InvariantBroken(`conversion_missing: ${conversion.batchId} ${conversion.n}`);
    return isDeepStrictEqual(readConversion(stored), { ...conversion });
  };

  const listConversions: FundsLedger['listConversions'] = (batchId) =>
    store.list(partitions.batch(batchId), sortPrefixes.conversion, readConversion);

  return { claimConversion, recordConversion, listConversions };
};
