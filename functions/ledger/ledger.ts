import type { Ledger } from '../ports/ledger/ledger.ts';
import { createBatchMoves } from './batches/batch-moves.ts';
import { createBatchSearch } from './batches/batch-search.ts';
import { createBatches } from './batches/batches.ts';
import { createFollow } from './batches/follow.ts';
import { createProgress } from './batches/progress.ts';
import { createReconciliations } from './batches/reconciliations.ts';
import { createPlanRecording } from './batches/record-plan.ts';
import { createReleases } from './batches/releases.ts';
import { createEvents } from './events/events.ts';
import { createConversions } from './funds/conversions.ts';
import { createFunds } from './funds/funds.ts';
import { createCalls } from './payouts/calls.ts';
import { createChunks } from './payouts/chunks.ts';
import { createDebts } from './payouts/debts.ts';
import { createDestinationSearch } from './payouts/destination-search.ts';
import { createRefusals } from './payouts/equal-refusals.ts';
import { createPayoutSearch } from './payouts/payout-search.ts';
import { createPayoutMoves } from './payouts/payouts.ts';
import { createRegistration } from './payouts/registration.ts';
import { createWebhooks } from './payouts/webhooks.ts';
import { createProviderChecks } from './provider-checks.ts';
import type { LedgerDependencies } from './table/store.ts';
import { createStore } from './table/store.ts';

/**
 * The whole ledger in one table. Its functions throw InvariantBroken for impossible states, InvalidCursor for a cursor that no
 * list returned, and for an outage the SDK's errors, or an Error after too many attempts.
 */
export const createLedger = (dependencies: LedgerDependencies): Ledger => {
  const { clock, ids } = dependencies;
  const parts = { store: createStore(dependencies), clock, ids };
  return {
    ...createBatches(parts),
    ...createBatchMoves(parts),
    ...createPlanRecording(parts),
    ...createRegistration(parts),
    ...createCalls(parts),
    ...createPayoutMoves(parts),
    ...createRefusals(parts),
    ...createChunks(parts),
    ...createProgress(parts),
    ...createPayoutSearch(parts),
    ...createDestinationSearch(parts),
    ...createBatchSearch(parts),
    ...createFunds(parts),
    ...createConversions(parts),
    ...createFollow(parts),
    ...createReconciliations(parts),
    ...createDebts(parts),
    ...createReleases(parts),
    ...createWebhooks(parts),
    ...createEvents(parts),
    ...createProviderChecks(parts),
  };
};
