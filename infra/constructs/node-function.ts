import type { Duration } from 'aws-cdk-lib';
import { RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Architecture, CfnFunction, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { functionCode } from './function-code.ts';
import { logLifetime } from './lasting.ts';

/** Megabytes of a function that says nothing else. */
export const defaultMemoryMb = 512;

export interface NodeFunctionProps {
  /** The handler's file, from the project's root: `functions/steps/plan-batch.ts`. It exports `handler`. */
  readonly entry: string;
  readonly timeout: Duration;
  readonly memoryMb?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Concurrency set aside and at most used; left out, the account's pool is shared. */
  readonly reservedConcurrency?: number;
  readonly ephemeralStorageMb?: number;
  /** What Lambda does when the function's messages wake it again and again; left out, it stops them after 16 rounds. */
  readonly recursiveLoop?: RecursiveLoop;
  /** What the function does in one sentence, shown in the console. */
  readonly description?: string;
}

/**
 * A Lambda function of one file: arm64, Node 24, CommonJS with everything it uses in it, its own log group and its own
 * role. The role may write its logs and traces and nothing else: what a function touches is granted where it is composed.
 */
export class NodeFunction extends LambdaFunction {
  /** The handler's file, from the project's root. */
  readonly entry: string;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, logLifetime(scope));
    const { stackName } = Stack.of(scope);
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${id} of ${stackName} may do`,
    });
    super(scope, id, {
      code: functionCode(props.entry),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memoryMb ?? defaultMemoryMb,
      // Logs are told apart by it, and metrics of two stages.
      environment: { POWERTOOLS_SERVICE_NAME: stackName, ...props.environment },
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      // A version stays when a deployment makes the next one: executions that began before go on calling it. That of a deployment
      // that was taken back goes with it, since Lambda publishes no second one of the same code.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...(props.description === undefined ? {} : { description: props.description }),
      ...(props.ephemeralStorageMb === undefined
        ? {}
        : { ephemeralStorageSize: Size.mebibytes(props.ephemeralStorageMb) }),
      ...(props.recursiveLoop === undefined ? {} : { recursiveLoop: props.recursiveLoop }),
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
    });
    this.entry = props.entry;
    logGroup.grantWrite(role);
    acknowledge(
      role,
      'AwsSolutions-IAM5[Resource::*]',
      'X-Ray takes segments, and DynamoDB lists streams, without naming a resource.',
    );
  }

  /** What Lambda's documentation asks for to read a table's stream. Listing streams names no resource, and tells no more than their names. */
  allowStream(streamArn: string): void {
    this.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [streamArn]);
    this.allow(['dynamodb:ListStreams'], ['*']);
  }

  /** Allows `actions` on `resources`, each action named: grants of whole tables or buckets hide what a function needs. */
  allow(actions: readonly string[], resources: readonly string[], conditions: Conditions = {}): void {
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
  }

  /** Denies what is allowed for another's sake. */
  deny(actions: readonly string[], resources: readonly string[], conditions: Conditions): void {
    const effect = Effect.DENY;
    this.addToRolePolicy(new PolicyStatement({ effect, actions: [...actions], resources: [...resources], conditions }));
  }

  /** Puts it into subnets, which the CDK else asks for before anything is known of what the function does. */
  connect(subnetIds: readonly string[], securityGroupId: string): void {
    const made = this.node.defaultChild;
    if (!(made instanceof CfnFunction)) throw new Error('A function is made of one resource');
    made.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [securityGroupId] };
  }
}
