import { isDeepStrictEqual } from 'node:util';
import { InvariantBroken } from '../domain/errors.ts';
import type { FundsLedger } from '../domain/ledger-port.ts';
import { batchMayCall } from './batch-may-call.ts';
import { absent, and, equals, oneOf } from './expressions.ts';
import { conversionItem, readConversion } from './funds-codec.ts';
import { keys, partitions, sortPrefixes } from './keys.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore, startingWith } from './store.ts';

/** Claiming conversions and recording what became of them. */
export const createConversions = (
  dependencies: LedgerDependencies,
): Pick<FundsLedger, 'claimConversion' | 'recordConversion' | 'listConversions'> => {
  const store = createStore(dependencies);

  /** As claimCall: a claim id new to each invocation makes finding one's own the proof of a lost answer only. */
  const claimConversion: FundsLedger['claimConversion'] = async (conversion) => {
    const { batchId, claimId } = conversion;
    const result = await store.transact([
      { kind: 'put', item: conversionItem(conversion), condition: absent('pk'), tellOld: true },
      {
        kind: 'check',
        key: keys.batch(batchId),
        condition: batchMayCall(['validating', 'awaiting_funds', 'processing']),
      },
    ]);
    if (result.kind === 'written') return { kind: 'claimed' };
    const [item] = result.writes;
    if (item?.item === undefined) return { kind: 'stopped' };
    const standing = readConversion(item.item);
    return standing.claimId === claimId ? { kind: 'claimed' } : { kind: 'taken', conversion: standing };
  };

  const recordConversion: FundsLedger['recordConversion'] = async (conversion, from) => {
    const { batchId, n, claimId } = conversion;
    const result = await store.put(conversionItem(conversion), and(equals('claimId', claimId), oneOf('status', from)));
    if (result.kind === 'written') return true;
    if (result.item === undefined) throw new InvariantBroken(`conversion_missing: ${batchId} ${n}`);
    // What stands is what was to be written: only the first attempt's answer was lost.
    return isDeepStrictEqual(readConversion(result.item), { ...conversion });
  };

  const listConversions: FundsLedger['listConversions'] = async (batchId) =>
    Array.fromAsync(
      store.query({ pk: partitions.batch(batchId), ...startingWith(sortPrefixes.conversion) }),
      readConversion,
    );

  return { claimConversion, recordConversion, listConversions };
};
