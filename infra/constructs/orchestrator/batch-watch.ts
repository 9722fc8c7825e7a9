import { Construct } from 'constructs';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import type { NodeFunction } from '../node-function.ts';
import type { Woken } from '../wake-regularly.ts';
import { wakeRegularly } from '../wake-regularly.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

const { WatchBatches, ReconcileBatches } = backgroundFunctions;

/** ReconcileBatches' timeout is shorter. */
const reconcileEveryMinutes = 15;

export interface BatchWatchProps extends OrchestratorParts {
  readonly workflow: BatchWorkflow;
  readonly everyMinutes: number;
}

/** Regularly looks for trouble that nothing else would report to a person: see functions/watch. */
export class BatchWatch extends Construct {
  readonly watch: Woken;
  readonly reconcile: Woken;
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, { everyMinutes, ...parts }: BatchWatchProps) {
    super(scope, id);
    const watch = orchestratorFunction(this, 'WatchBatches', WatchBatches, parts);
    const reconcile = orchestratorFunction(this, 'ReconcileBatches', ReconcileBatches, parts);
    this.watch = wakeRegularly(this, 'Schedule', watch, { everyMinutes, description: 'Wakes the watch over batches' });
    this.reconcile = wakeRegularly(this, 'ReconcileSchedule', reconcile, {
      everyMinutes: reconcileEveryMinutes,
      description: 'Wakes the comparison of ended batches',
    });
    this.functions = [watch, reconcile];
  }
}
