import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import { acknowledgeWildcard } from '../acknowledge.ts';
import { localEndpointOf } from '../local-endpoint.ts';
import type { NodeFunction } from '../node-function.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

export interface BatchSchedulesProps extends OrchestratorParts {
  readonly workflow: BatchWorkflow;
}

/**
 * Starts a batch at its start time. AwaitStart creates a schedule in the group. The scheduler's role may invoke one function, which
 * starts the execution. If a schedule fails, the watch starts the batch.
 */
export class BatchSchedules extends Construct {
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, { workflow, ...parts }: BatchSchedulesProps) {
    super(scope, id);
    const begin = orchestratorFunction(this, 'BeginScheduled', backgroundFunctions.BeginScheduled, parts);
    workflow.allowStartingFromWithin(this, 'StartExecution', begin);
    this.functions = [begin];

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
    this.#allowScheduling(workflow.functionOf('AwaitStart'), group.ref, begin, role);
  }

  #allowScheduling(awaitStart: NodeFunction, group: string, begin: NodeFunction, role: Role): void {
    awaitStart.addEnvironment('SCHEDULE_GROUP', group);
    awaitStart.addEnvironment('SCHEDULE_TARGET_ARN', begin.functionArn);
    awaitStart.addEnvironment('SCHEDULE_ROLE_ARN', role.roleArn);
    const schedules = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      // The local AWS checks rights on any schedule as if it were in the group `default`.
      resourceName: localEndpointOf(this) === undefined ? `${group}/*` : '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    awaitStart.allow(['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'], [schedules]);
    awaitStart.allow(['iam:PassRole'], [role.roleArn], {
      StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    });
    acknowledgeWildcard(awaitStart.role, schedules, 'Schedules are named after future batches.');
  }
}
