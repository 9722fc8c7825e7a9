import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { BatchChanges, MoveBatch } from '../../../functions/ports/ledger/batch-ledger.ts';
import type { PayoutId } from '../../../functions/ports/ledger/payout-ledger.ts';
import type { PlanBatchDependencies } from '../../../functions/steps/plan-batch.ts';

const notPartOfPlanning = (): never => {
  throw new Error('not needed to plan a good file');
};

type SetChanges = Pick<BatchChanges, 'plan'>;

/** A ledger in memory with one accepted batch and no payouts: all that PlanBatch needs for a good file. */
export const oneBatchLedger = (batchId: string, file: string): PlanBatchDependencies['ledger'] => {
  const at = '2031-01-01T00:00:00.000Z';
  const taken = new Map<string, PayoutId>();
  let batch: Batch = {
    batchId,
    status: 'accepted',
    mode: 'disburse',
    invalidRows: 'reject',
    allowSameFile: false,
    file: { key: file, versionId: '1', bytes: 0 },
    createdAt: at,
    createdBy: 'arn:aws:iam::000000000000:user/bench',
    statusSince: at,
    executions: 1,
  };
  const amend = ({ plan }: SetChanges): MoveBatch => {
    batch = { ...batch, ...(plan === undefined || plan === null ? {} : { plan }) };
    return { kind: 'moved', batch };
  };
  return {
    getBatch: async () => batch,
    moveBatch: async (_, transition, __, changes = {}) => {
      batch = { ...batch, status: transition.to };
      return amend(changes);
    },
    recordPlan: async (_, plan) => {
      amend({ plan });
      return { kind: 'recorded' };
    },
    findReferences: async (references) => {
      const found = new Map<string, PayoutId>();
      for (const reference of references) {
        const holder = taken.get(reference);
        if (holder !== undefined) found.set(reference, holder);
      }
      return found;
    },
    getPayoutByReference: notPartOfPlanning,
    recordDebts: async () => undefined,
    noteSharedDebts: async () => undefined,
    readDebts: async function* () {
      // No other batch has debts.
    },
    getPayouts: async () => [],
    countUnpaidContradictions: notPartOfPlanning,
    readFunds: notPartOfPlanning,
    reserve: notPartOfPlanning,
    listConversions: notPartOfPlanning,
    unlockPair: notPartOfPlanning,
  };
};
