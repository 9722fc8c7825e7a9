import { readFileSync } from 'node:fs';
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { postingFunctionSeconds } from '../settings.ts';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import { logLifetime, removalPolicy } from './lasting.ts';
import { NodeFunction } from './node-function.ts';
import type { FilesAccess, PayoutFiles } from './payout-files.ts';
import type { LedgerAccess, PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess, ProviderCredential } from './provider-access.ts';
import { settingsEnvironment } from './settings-environment.ts';

interface Step {
  readonly entry: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMb?: number;
  readonly ledger: readonly LedgerAccess[];
  readonly files?: readonly FilesAccess[];
  /** The provider's credentials it may read, when it talks to the provider. */
  readonly provider?: readonly ProviderCredential[];
}

/** Steps that release a reservation or a lock delete it; nothing else is ever deleted. */
const write: readonly LedgerAccess[] = ['read', 'write'];

/**
 * The credential of the payment service that moves money is for the steps that do, and for the two whose reads the service
 * puts under the same one: payment methods and balances (functions/provider/SIGNING.md). All others may ask, and no more.
 */
const asks: readonly ProviderCredential[] = ['signing'];
const movesMoney: readonly ProviderCredential[] = ['signing', 'authorization'];

/** The Task states, by the name the state machine's text has for each, and what each may touch. */
export const steps = {
  PlanBatch: {
    entry: 'functions/steps/plan-batch.ts',
    description: 'Reads the payout file, checks every row and splits it into chunks',
    // A million rows take a minute or two; the rest is for a slow provider and for reading references up.
    timeoutSeconds: 900,
    memoryMb: 1769,
    ledger: [...write, 'readMany', 'delete'],
    files: ['readUploads', 'readPlans', 'writePlans'],
    provider: ['authorization'],
  },
  AwaitStart: {
    entry: 'functions/steps/await-start.ts',
    description: 'Lets a batch that has a time to start at rest until then',
    timeoutSeconds: 60,
    ledger: [...write, 'delete'],
  },
  EstimateFees: {
    entry: 'functions/steps/estimate-fees.ts',
    description: 'Looks whether the provider fits what is set, and says what the payouts will cost',
    timeoutSeconds: 90,
    ledger: write,
    provider: asks,
  },
  PlanFunding: {
    entry: 'functions/steps/plan-funding.ts',
    description: 'Compares balances with what the batch needs, reserves, and plans conversions for what is short',
    timeoutSeconds: 90,
    ledger: [...write, 'delete'],
    provider: ['signing', 'authorization'],
  },
  AwaitRelease: {
    entry: 'functions/steps/await-release.ts',
    description:
      'Holds a batch against every check before money moves, and waits for approval where one finds something',
    timeoutSeconds: 60,
    ledger: [...write, 'delete'],
  },
  Convert: {
    entry: 'functions/steps/convert.ts',
    description: 'Converts for one shortfall, at most once',
    timeoutSeconds: postingFunctionSeconds,
    ledger: [...write, 'delete'],
    provider: movesMoney,
  },
  SubmitChunk: {
    entry: 'functions/steps/submit-chunk.ts',
    description: 'Registers the payouts of a chunk, claims a call and makes it once',
    timeoutSeconds: postingFunctionSeconds,
    ledger: write,
    files: ['readPlans'],
    provider: movesMoney,
  },
  EndSubmit: {
    entry: 'functions/steps/end-submit.ts',
    description: 'Writes down that a round of submitting is over',
    timeoutSeconds: 60,
    ledger: write,
  },
  Follow: {
    entry: 'functions/steps/follow.ts',
    description: 'Looks once at everything of a batch that is open, archives proofs, and says what comes next',
    // A sweep stops a minute before; the time until the next one is due is for proofs.
    timeoutSeconds: 900,
    memoryMb: 1024,
    ledger: [...write, 'readMany'],
    files: ['writeProofs', 'lockRecords', 'writeRounds'],
    provider: asks,
  },
  HandOver: {
    entry: 'functions/steps/hand-over.ts',
    description: 'Starts the next execution of a batch when the history of this one is nearly full',
    timeoutSeconds: 60,
    ledger: write,
  },
  ReportBatch: {
    entry: 'functions/steps/report-batch.ts',
    description: 'Adds everything up, writes the reports and gives the batch its end',
    timeoutSeconds: 900,
    memoryMb: 1769,
    ledger: [...write, 'readMany', 'delete'],
    files: ['readPlans', 'writeReports', 'lockRecords'],
  },
  RecordFailure: {
    entry: 'functions/steps/record-failure.ts',
    description: 'Turns a failed execution into a batch status with a reason a person can act on',
    timeoutSeconds: 60,
    ledger: write,
  },
} as const satisfies Readonly<Record<string, Step>>;

export interface BatchWorkflowProps {
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  readonly submitsAtOnce: number;
  readonly submitConcurrency: number;
}

/** The state machine that a batch is one execution of, and the functions that are its Task states. */
export class BatchWorkflow extends Construct {
  readonly stateMachine: StateMachine;
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: BatchWorkflowProps) {
    super(scope, id);
    this.functions = new Map(Object.entries<Step>(steps).map(([name, step]) => [name, this.#step(name, step, props)]));
    this.stateMachine = this.#stateMachine(props);
    this.#allowDistributedMap(props.files);
    this.allowStarting(this, 'NextExecution', this.functionOf('HandOver'));
  }

  /** The function of a state. */
  functionOf(state: string): NodeFunction {
    const found = this.functions.get(state);
    if (found === undefined) throw new Error(`there is no function for the state ${state}`);
    return found;
  }

  #step(name: string, step: Step, props: BatchWorkflowProps): NodeFunction {
    const reserved = name === 'SubmitChunk' && props.submitConcurrency > 0 ? props.submitConcurrency : undefined;
    const made = new NodeFunction(this, name, {
      entry: step.entry,
      description: step.description,
      timeout: Duration.seconds(step.timeoutSeconds),
      ...(step.memoryMb === undefined ? {} : { memoryMb: step.memoryMb }),
      ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        ...(step.files === undefined ? {} : props.files.environment(step.files)),
        ...(step.provider === undefined ? {} : props.provider.environment(step.provider)),
      },
    });
    props.ledger.allow(made, step.ledger);
    if (step.files !== undefined) props.files.allow(made, step.files);
    if (step.provider !== undefined) props.provider.allow(made, step.provider);
    return made;
  }

  #stateMachine(props: BatchWorkflowProps): StateMachine {
    const text = readFileSync(new URL('../../statemachines/batch.asl.json', import.meta.url), 'utf8');
    const logs = new LogGroup(this, 'StateMachineLogs', {
      // Step Functions keeps one policy for all log groups it writes to, unless their names begin so.
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
          [...this.functions].map(([name, made]) => [`${name}Function`, made.currentVersion.functionArn]),
        ),
      },
      tracingEnabled: true,
      // Inputs and outputs are ids and decisions, and the ledger has those: the log tells what happened when.
      logs: { destination: logs, level: LogLevel.ALL, includeExecutionData: false },
      removalPolicy: removalPolicy(this),
    });
    acknowledge(stateMachine.role, 'AwsSolutions-IAM5[Resource::*]', 'X-Ray and log delivery name no resource.');
    const versions = [...this.functions.values()].map(({ functionArn }) => `${functionArn}:*`);
    stateMachine.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: versions }));
    for (const version of versions)
      acknowledgeWildcard(
        stateMachine.role,
        version,
        'An execution calls the versions that were published when it began.',
      );
    return stateMachine;
  }

  /** Every execution of a batch. */
  get executionsArn(): string {
    return this.#executions(`${this.stateMachine.stateMachineName}:*`);
  }

  #executions(resourceName: string): string {
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ service: 'states', resource: 'execution', resourceName, arnFormat });
  }

  /** What a step of the state machine uses may start executions of it: a policy of its own, as the Distributed Map has. */
  allowStarting(scope: Construct, id: string, { role }: NodeFunction): void {
    const executions = this.executionsArn;
    const policy = new Policy(scope, id, {
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.stateMachine.stateMachineArn] }),
        new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [executions] }),
      ],
    });
    if (role !== undefined) policy.attachToRole(role);
    acknowledgeWildcard(policy, executions, 'Executions are named for batches that are yet to come.');
  }

  /** A Distributed Map reads its items from S3, starts its children as executions of the same state machine, and stops them. */
  #allowDistributedMap(files: PayoutFiles): void {
    const executions = this.#executions(`${this.stateMachine.stateMachineName}/*`);
    const manifests = files.bucket.arnForObjects('batches/*/plan-*/manifest.json');
    const rounds = files.bucket.arnForObjects('batches/*/submit/*');
    const results = files.bucket.arnForObjects('map-results/*');
    // A policy of its own: in the role's default policy it would make the state machine wait for itself.
    const policy = new Policy(this, 'DistributedMap', {
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.stateMachine.stateMachineArn] }),
        new PolicyStatement({
          actions: ['states:DescribeExecution', 'states:StopExecution', 'states:RedriveExecution'],
          resources: [executions],
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
    const notNamedYet =
      'The children and files of batches yet to come have no name yet; what precedes the wildcard is ours.';
    for (const resource of [executions, manifests, rounds, results]) acknowledgeWildcard(policy, resource, notNamedYet);
  }
}
