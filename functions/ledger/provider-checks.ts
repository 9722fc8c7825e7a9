import * as z from 'zod';
import type { ProviderCheckLedger } from '../ports/ledger/provider-check.ts';
import { absent, below, or } from './table/expressions.ts';
import { keys } from './table/keys.ts';
import { reading } from './table/reading.ts';
import type { LedgerDependencies } from './table/store.ts';
import { createStore } from './table/store.ts';

const readFit = reading('provider check', () => z.object({ fitAt: z.string() }));

/** Far longer than it is relied upon: DynamoDB may be late by days to remove it. */
const keptSeconds = 86_400;

/** When the provider was found to fit what is set. */
export const createProviderChecks = (dependencies: LedgerDependencies): ProviderCheckLedger => {
  const store = createStore(dependencies);
  return {
    readProviderFit: async (of) => {
      const item = await store.get(keys.providerCheck(of));
      return item === undefined ? undefined : readFit(item).fitAt;
    },
    recordProviderFit: async (of, fitAt) => {
      const expiresAt = Math.floor(Date.parse(fitAt) / 1000) + keptSeconds;
      const item = { ...keys.providerCheck(of), fitAt, expiresAt };
      await store.put(item, or(absent('fitAt'), below('fitAt', fitAt)));
    },
  };
};
