import { isDeepStrictEqual } from 'node:util';
import { lockHolder } from '../domain/conversion.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { isoNow } from '../ports/environment.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import { eventItem, eventOf } from './batch-codec.ts';
import { batchThat } from './batch-condition.ts';
import type { Expression } from './expressions.ts';
import { absent, and, equals, oneOf } from './expressions.ts';
import { conversionItem, readConversion } from './funds-codec.ts';
import type { Key } from './keys.ts';
import { keys, partitions, sortPrefixes } from './keys.ts';
import type { LedgerDependencies, Written } from './store.ts';
import { createStore, startingWith } from './store.ts';

/** Claiming conversions and recording what became of them. */
export const createConversions = (
  dependencies: LedgerDependencies,
): Pick<FundsLedger, 'claimConversion' | 'recordConversion' | 'listConversions'> => {
  const { clock, ids } = dependencies;
  const store = createStore(dependencies);

  /** As claimCall: a claim id new to each invocation makes finding one's own the proof of a lost answer only. */
  const claimConversion: FundsLedger['claimConversion'] = async (conversion) => {
    const { batchId, n, claimId, planned } = conversion;
    const result = await store.transact([
      { kind: 'put', item: conversionItem(conversion), condition: absent('pk'), tellOld: true },
      {
        kind: 'check',
        key: keys.batch(batchId),
        // Of one that disburses all is there: it was found short before another run of it saw the money.
        condition: batchThat('mayReserve'),
      },
      // Another run of the batch may have given the lock back meanwhile: then somebody else may be converting the pair.
      {
        kind: 'check',
        key: keys.pairLock(planned.inputCurrency, planned.outputCurrency),
        condition: equals('holder', lockHolder(batchId, n)),
      },
    ]);
    if (result.kind === 'written') return { kind: 'claimed' };
    const [item] = result.writes;
    if (item?.item === undefined) return { kind: 'stopped' };
    const standing = readConversion(item.item);
    return standing.claimId === claimId ? { kind: 'claimed' } : { kind: 'taken', conversion: standing };
  };

  const recordConversion: FundsLedger['recordConversion'] = async (conversion, from, audit) => {
    const { batchId, n, claimId } = conversion;
    const item = conversionItem(conversion);
    const condition = and(equals('claimId', claimId), oneOf('status', from));
    const result =
      audit === undefined
        ? await store.put(item, condition)
        : await putAudited(item, condition, eventItem(batchId, ids.sortable(), eventOf(isoNow(clock), audit)));
    if (result.kind === 'written') return true;
    if (result.item === undefined) throw new InvariantBroken(`conversion_missing: ${batchId} ${n}`);
    // What stands is what was to be written: only the first attempt's answer was lost.
    return isDeepStrictEqual(readConversion(result.item), { ...conversion });
  };

  const putAudited = async (item: Key, condition: Expression, event: Key): Promise<Written> => {
    const result = await store.transact([
      { kind: 'put', item, condition, tellOld: true },
      { kind: 'put', item: event, condition: absent('pk') },
    ]);
    if (result.kind === 'written') return result;
    const standing = result.writes[0]?.item;
    return { kind: 'refused', ...(standing === undefined ? {} : { item: standing }) };
  };

  const listConversions: FundsLedger['listConversions'] = async (batchId) =>
    Array.fromAsync(
      store.query({ pk: partitions.batch(batchId), ...startingWith(sortPrefixes.conversion) }),
      readConversion,
    );

  return { claimConversion, recordConversion, listConversions };
};
