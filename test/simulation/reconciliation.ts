import { reconcileBatches } from '../../functions/watch/reconcile-batches.ts';
import { backgroundFunctions } from '../../infra/function-table/background-functions.ts';
import type { MemoryTable } from '../support/memory-table/memory-table.ts';
import type { Functions } from './world/functions.ts';
import type { Timeline } from './world/timeline.ts';

const { timeoutSeconds: reconcileSeconds } = backgroundFunctions.ReconcileBatches;
/** Less often than on AWS. Changes are reported after days, so an hour is precise enough. */
export const reconcileEveryMs = 3_600_000;

/** Compares ended batches with the provider every hour for the whole run. */
export const reconcileHourly = (timeline: Timeline, functions: Functions): void => {
  timeline.in(reconcileEveryMs, () => {
    void functions.run('ReconcileBatches all', reconcileSeconds, (environment, process) =>
      reconcileBatches(environment, { remainingMs: () => process.remainingMs }),
    );
    reconcileHourly(timeline, functions);
  });
};

/** True when every scheduled comparison is done. */
export const isReconciled = (table: MemoryTable): boolean =>
  table.items('BATCH#').every(({ sk }) => !String(sk).startsWith('RECONCILE#'));
