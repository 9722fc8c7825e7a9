import { readFileSync } from 'node:fs';
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { FunctionRow } from '../../function-table/function-row.ts';
import { workflowSteps } from '../../function-table/workflow-steps.ts';
import { acknowledge, acknowledgeWildcard } from '../acknowledge.ts';
import { logLifetime, removalPolicy } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';
import { functionNamed } from '../node-function.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';
import type { PayoutFiles } from './payout-files.ts';

export interface BatchWorkflowProps extends Omit<OrchestratorParts, 'workflow'> {
  readonly submitsAtOnce: number;
  readonly reservedSubmitConcurrency: number;
}

const namedLater = 'Executions are named after future batches.';

/** The state machine and the functions of its Task states. Each batch is an execution of it. */
export class BatchWorkflow extends Construct {
  readonly stateMachine: StateMachine;
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, props: BatchWorkflowProps) {
    super(scope, id);
    const { reservedSubmitConcurrency: reserved } = props;
    this.functions = Object.entries<FunctionRow>(workflowSteps).map(([name, row]) => {
      const more = name === 'SubmitChunk' && reserved > 0 ? { reservedConcurrentExecutions: reserved } : {};
      return orchestratorFunction(this, name, row, props, more);
    });
    this.stateMachine = this.#stateMachine(props);
    this.#allowDistributedMap(props.files);
    this.allowStartingFromWithin(this, 'NextExecution', this.functionOf('HandOver'));
  }

  /** The function of a state. */
  functionOf(state: keyof typeof workflowSteps): NodeFunction {
    return functionNamed(this.functions, state);
  }

  #stateMachine(props: BatchWorkflowProps): StateMachine {
    const text = readFileSync(new URL('../../../statemachines/batch.asl.json', import.meta.url), 'utf8');
    const logs = new LogGroup(this, 'StateMachineLogs', {
      // The prefix spares an entry for each log group in a resource policy of limited size.
      logGroupName: `/aws/vendedlogs/states/${Stack.of(this).stackName}-batch`,
      ...logLifetime(this),
    });
    const stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(text),
      definitionSubstitutions: {
        Partition: Stack.of(this).partition,
        FilesBucket: props.files.bucket.bucketName,
        SubmitsAtOnce: String(props.submitsAtOnce),
        ...Object.fromEntries(
          this.functions.map(({ node, currentVersion }) => [`${node.id}Function`, currentVersion.functionArn]),
        ),
      },
      tracingEnabled: true,
      // Without inputs and outputs: these are ids and decisions, which the ledger has. The log shows what happened when.
      logs: { destination: logs, level: LogLevel.ALL, includeExecutionData: false },
      removalPolicy: removalPolicy(this),
    });
    acknowledge(stateMachine.role, 'AwsSolutions-IAM5[Resource::*]', 'X-Ray and log delivery name no resource.');
    const versions = this.functions.map(({ functionArn }) => `${functionArn}:*`);
    stateMachine.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: versions }));
    for (const version of versions)
      acknowledgeWildcard(
        stateMachine.role,
        version,
        'An execution calls the versions that were current at its start.',
      );
    return stateMachine;
  }

  /** Every execution of a batch. */
  get #executionsArn(): string {
    return this.#executions(`${this.stateMachine.stateMachineName}:*`);
  }

  #executions(resourceName: string): string {
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ service: 'states', resource: 'execution', resourceName, arnFormat });
  }

  /** Lets a function link to executions, or also start them and ask whether one still runs. */
  allow(user: NodeFunction, access: NonNullable<FunctionRow['workflow']>): void {
    user.addEnvironment('STATE_MACHINE_ARN', this.stateMachine.stateMachineArn);
    if (access !== 'starts') return;
    user.allow(['states:StartExecution'], [this.stateMachine.stateMachineArn]);
    user.allow(['states:DescribeExecution'], [this.#executionsArn]);
    acknowledgeWildcard(user.role, this.#executionsArn, namedLater);
  }

  /**
   * Lets a function start executions although the state machine depends on it. Its default policy would then wait for the state
   * machine, and the state machine for it, so it gets a separate policy.
   */
  allowStartingFromWithin(scope: Construct, id: string, { role }: NodeFunction): void {
    const policy = new Policy(scope, id, {
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.stateMachine.stateMachineArn] }),
        new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [this.#executionsArn] }),
      ],
    });
    policy.attachToRole(role);
    acknowledgeWildcard(policy, this.#executionsArn, namedLater);
  }

  /**
   * A Distributed Map reads its items from S3, and starts and stops its children, which are executions of the same state
   * machine.
   */
  #allowDistributedMap(files: PayoutFiles): void {
    // The children's ARNs have a slash before the map's label. AWS's examples grant the form with a colon.
    const executions = ['/*', ':*'].map((end) => this.#executions(`${this.stateMachine.stateMachineName}${end}`));
    const manifests = files.bucket.arnForObjects('batches/*/plan-*/manifest.json');
    const rounds = files.bucket.arnForObjects('batches/*/submit/*');
    const results = files.bucket.arnForObjects('map-results/*');
    // A separate policy: the state machine waits for its role's default policy, which would wait for the state machine.
    const policy = new Policy(this, 'DistributedMap', {
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.stateMachine.stateMachineArn] }),
        new PolicyStatement({
          actions: ['states:DescribeExecution', 'states:StopExecution', 'states:RedriveExecution'],
          resources: executions,
        }),
        new PolicyStatement({ actions: ['s3:GetObject'], resources: [manifests, rounds] }),
        new PolicyStatement({
          actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
          resources: [results],
        }),
        new PolicyStatement({
          actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
          resources: files.bucket.encryptionKey === undefined ? [] : [files.bucket.encryptionKey.keyArn],
        }),
      ],
    });
    policy.attachToRole(this.stateMachine.role);
    const reason = 'Children and files are named after future batches. The fixed part before the wildcard is ours.';
    for (const resource of [...executions, manifests, rounds, results]) acknowledgeWildcard(policy, resource, reason);
  }
}
