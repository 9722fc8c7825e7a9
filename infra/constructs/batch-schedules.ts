import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { localEndpointOf } from './local-endpoint.ts';
import { NodeFunction } from './node-function.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import { settingsEnvironment } from './settings-environment.ts';

export interface BatchSchedulesProps {
  readonly ledger: PayoutLedger;
  readonly workflow: BatchWorkflow;
  readonly settings: OrchestratorSettings;
}

/**
 * Begins a batch at the time that it was given: AwaitStart makes a schedule in the group, and the scheduler's role may wake one
 * function, which starts the execution. What a schedule fails to begin, the watch does.
 */
export class BatchSchedules extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, { ledger, workflow, settings }: BatchSchedulesProps) {
    super(scope, id);
    const begin = new NodeFunction(this, 'BeginScheduled', {
      entry: 'functions/watch/begin-scheduled.ts',
      description: 'Starts the execution of a batch whose time has come',
      timeout: Duration.seconds(60),
      environment: { LEDGER_TABLE: ledger.table.tableName, ...settingsEnvironment(settings) },
    });
    ledger.allow(begin, ['read', 'write']);
    workflow.allowStarting(this, 'StartExecution', begin);
    this.functions = new Map([['BeginScheduled', begin]]);

    const { stackName, account } = Stack.of(this);
    const group = new CfnScheduleGroup(this, 'Group', { name: `${stackName}-batches` });
    const role = new Role(this, 'SchedulerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
      description: `What schedules of ${stackName} may do`,
    });
    new Policy(this, 'Wake', {
      roles: [role],
      statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [begin.functionArn] })],
    });
    this.#allowMaking(workflow.functionOf('AwaitStart'), group.ref, begin, role);
  }

  #allowMaking(maker: NodeFunction, group: string, begin: NodeFunction, role: Role): void {
    maker.addEnvironment('SCHEDULE_GROUP', group);
    maker.addEnvironment('SCHEDULE_TARGET_ARN', begin.functionArn);
    maker.addEnvironment('SCHEDULE_ROLE_ARN', role.roleArn);
    const schedules = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      // The local AWS holds every schedule against the group `default`, whichever it is in.
      resourceName: localEndpointOf(this) === undefined ? `${group}/*` : '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    maker.allow(['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'], [schedules]);
    maker.allow(['iam:PassRole'], [role.roleArn], {
      StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    });
    acknowledgeWildcard(maker.role ?? maker, schedules, 'Schedules are named for batches that are yet to come.');
  }
}
