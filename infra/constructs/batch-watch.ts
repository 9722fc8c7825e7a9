import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { NodeFunction } from './node-function.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import { settingsEnvironment } from './settings-environment.ts';

/** Seconds that a look of the watch may take. */
export const watchSeconds = 240;

export interface BatchWatchProps {
  readonly ledger: PayoutLedger;
  readonly workflow: BatchWorkflow;
  readonly settings: OrchestratorSettings;
  readonly everyMinutes: number;
}

/** Looks every few minutes for what nobody else would tell a person: see functions/watch. */
export class BatchWatch extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, { ledger, workflow, settings, everyMinutes }: BatchWatchProps) {
    super(scope, id);
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
    this.functions = new Map([['WatchBatches', watch]]);
  }
}
