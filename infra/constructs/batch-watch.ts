import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { NodeFunction } from './node-function.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess } from './provider-access.ts';
import { settingsEnvironment } from './settings-environment.ts';

/** Seconds that a look of the watch may take. */
export const watchSeconds = 240;

/** Seconds that one run of comparing ended batches may take: it is over before the next one begins. */
export const reconcileSeconds = 840;
const reconcileEveryMinutes = 15;

export interface BatchWatchProps {
  readonly ledger: PayoutLedger;
  readonly workflow: BatchWorkflow;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  readonly everyMinutes: number;
}

/** Looks every few minutes for what nobody else would tell a person: see functions/watch. */
export class BatchWatch extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: BatchWatchProps) {
    super(scope, id);
    this.functions = new Map([
      ['WatchBatches', this.#watch(props)],
      ['ReconcileBatches', this.#reconcile(props)],
    ]);
  }

  #watch({ ledger, workflow, settings, everyMinutes }: BatchWatchProps): NodeFunction {
    const watch = new NodeFunction(this, 'WatchBatches', {
      entry: 'functions/watch/watch-batches.ts',
      description: 'Finds batches without a workflow, and what is held for nobody, and tells',
      timeout: Duration.seconds(watchSeconds),
      environment: {
        LEDGER_TABLE: ledger.table.tableName,
        ...settingsEnvironment(settings),
        STATE_MACHINE_ARN: workflow.stateMachine.stateMachineArn,
      },
    });
    ledger.allow(watch, ['read', 'readIndexes', 'write', 'delete']);
    watch.allow(['states:StartExecution'], [workflow.stateMachine.stateMachineArn]);
    watch.allow(['states:DescribeExecution'], [workflow.executionsArn]);
    acknowledgeWildcard(
      watch.role ?? watch,
      workflow.executionsArn,
      'Executions of batches yet to come have no name yet.',
    );
    new Rule(this, 'Schedule', {
      description: 'Wakes the watch over batches',
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(watch, { retryAttempts: 0 })],
    });
    return watch;
  }

  #reconcile({ ledger, workflow, provider, settings }: BatchWatchProps): NodeFunction {
    const reconcile = new NodeFunction(this, 'ReconcileBatches', {
      entry: 'functions/watch/reconcile-batches.ts',
      description: 'Compares ended batches with the lists of the provider, days after their end',
      timeout: Duration.seconds(reconcileSeconds),
      // A million payouts are held at once, as little of each as can be compared.
      memoryMb: 1024,
      environment: {
        LEDGER_TABLE: ledger.table.tableName,
        ...settingsEnvironment(settings),
        ...provider.environment(['signing']),
        STATE_MACHINE_ARN: workflow.stateMachine.stateMachineArn,
      },
    });
    ledger.allow(reconcile, ['read', 'readMany', 'readIndexes', 'write', 'delete']);
    provider.allow(reconcile, ['signing']);
    reconcile.allow(['states:StartExecution'], [workflow.stateMachine.stateMachineArn]);
    reconcile.allow(['states:DescribeExecution'], [workflow.executionsArn]);
    acknowledgeWildcard(
      reconcile.role ?? reconcile,
      workflow.executionsArn,
      'Executions of batches yet to come have no name yet.',
    );
    new Rule(this, 'ReconcileSchedule', {
      description: 'Wakes the comparison of ended batches',
      schedule: Schedule.rate(Duration.minutes(reconcileEveryMinutes)),
      targets: [new LambdaFunction(reconcile, { retryAttempts: 0 })],
    });
    return reconcile;
  }
}
