import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { createBatchMoves } from './batch-moves.ts';
import { createBatchSearch } from './batch-search.ts';
import { createBatches } from './batches.ts';
import { createCalls } from './calls.ts';
import { createChunks } from './chunks.ts';
import { createConversions } from './conversions.ts';
import { createDebts } from './debts.ts';
import { createDestinationSearch } from './destination-search.ts';
import { createEvents } from './events/events.ts';
import { createFollow } from './follow.ts';
import { createFunds } from './funds.ts';
import { createPayoutSearch } from './payout-search.ts';
import { createPayoutMoves } from './payouts.ts';
import { createProgress } from './progress.ts';
import { createProviderChecks } from './provider-checks.ts';
import { createReconciliations } from './reconciliations.ts';
import { createRefusals } from './refusals.ts';
import { createRegistration } from './registration.ts';
import { createReleases } from './releases.ts';
import type { LedgerDependencies } from './store.ts';
import { createWebhooks } from './webhooks.ts';

export const createBatchLedger = (dependencies: LedgerDependencies): BatchLedger => ({
  ...createBatches(dependencies),
  ...createBatchMoves(dependencies),
});

export const createPayoutLedger = (dependencies: LedgerDependencies): PayoutLedger => ({
  ...createRegistration(dependencies),
  ...createCalls(dependencies),
  ...createPayoutMoves(dependencies),
  ...createRefusals(dependencies),
  ...createChunks(dependencies),
  ...createProgress(dependencies),
  ...createPayoutSearch(dependencies),
  ...createDestinationSearch(dependencies),
  ...createBatchSearch(dependencies),
});

export const createFundsLedger = (dependencies: LedgerDependencies): FundsLedger => ({
  ...createFunds(dependencies),
  ...createConversions(dependencies),
});

/** The whole ledger in one table. Verbs throw InvariantBroken for what cannot be and the SDK's errors for an outage. */
export const createLedger = (dependencies: LedgerDependencies): Ledger => ({
  ...createBatchLedger(dependencies),
  ...createPayoutLedger(dependencies),
  ...createFundsLedger(dependencies),
  ...createFollow(dependencies),
  ...createReconciliations(dependencies),
  ...createDebts(dependencies),
  ...createReleases(dependencies),
  ...createWebhooks(dependencies),
  ...createEvents(dependencies),
  ...createProviderChecks(dependencies),
});
