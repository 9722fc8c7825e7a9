import * as z from 'zod';
import type { ProviderCheckLedger } from '../ports/ledger/provider-check-ledger.ts';
import { expiresAfter } from './table/expiry.ts';
import { absentOrBelow } from './table/expressions.ts';
import { keys } from './table/keys.ts';
import { reading } from './table/reading.ts';
import type { PartDependencies } from './table/store.ts';

const readFit = reading('provider check', () => z.object({ fitAt: z.string() }));

/** Much longer than the result is used. */
const keptDays = 1;

/** The time at which the provider last passed the check with these settings. */
export const createProviderChecks = ({ store }: PartDependencies): ProviderCheckLedger => ({
  readProviderFit: async (rail) => (await store.read(keys.providerCheck(rail), readFit))?.fitAt,
  recordProviderFit: async (rail, fitAt) => {
    const item = { ...keys.providerCheck(rail), fitAt, expiresAt: expiresAfter(fitAt, keptDays) };
    await store.put(item, absentOrBelow('fitAt', fitAt));
  },
});
