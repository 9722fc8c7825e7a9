import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Conditions, IRole } from 'aws-cdk-lib/aws-iam';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Architecture, CfnFunction, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { functionCode } from './function-code.ts';
import { logLifetime } from './lasting.ts';

/** Memory of a function that sets none, in megabytes. */
export const defaultMemoryMb = 512;

export interface NodeFunctionProps
  extends Pick<FunctionOptions, 'description' | 'timeout' | 'reservedConcurrentExecutions' | 'recursiveLoop'> {
  /** The handler's file, from the repository's root: `functions/steps/plan-batch.ts`. It exports `handler`. */
  readonly entry: string;
  readonly memoryMb?: number | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * A Lambda function made from one file: arm64, Node 24, a CommonJS bundle of all it imports, its own log group and its own role.
 * The role may only write logs and traces. Other rights are granted where the function is composed.
 */
export class NodeFunction extends LambdaFunction {
  /** The handler's file, from the repository's root. */
  readonly entry: string;
  declare readonly role: IRole;

  constructor(scope: Construct, id: string, { entry, memoryMb, environment, ...options }: NodeFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, logLifetime(scope));
    const { stackName } = Stack.of(scope);
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${id} of ${stackName} may do`,
    });
    super(scope, id, {
      ...options,
      code: functionCode(entry),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMb ?? defaultMemoryMb,
      // Tells the logs of functions apart, and the metrics of stages.
      environment: { POWERTOOLS_SERVICE_NAME: stackName, ...environment },
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      // The next deployment keeps this version, because running executions call it. A rolled-back deployment deletes its version:
      // Lambda would not publish a second version of the same code.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    this.entry = entry;
    logGroup.grantWrite(role);
    acknowledge(
      role,
      'AwsSolutions-IAM5[Resource::*]',
      'Writing traces to X-Ray and listing DynamoDB streams name no resource.',
    );
  }

  /** Grants what Lambda's documentation requires for reading a table's stream. Listing streams shows only their names. */
  allowStream(streamArn: string): void {
    this.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [streamArn]);
    this.allow(['dynamodb:ListStreams'], ['*']);
  }

  /** Grants actions by name. The CDK's grants for whole tables or buckets would hide what a function needs. */
  allow(actions: readonly string[], resources: readonly string[], conditions: Conditions = {}): void {
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
  }

  /** Denies actions that are granted only because another service uses the function's role. */
  deny(actions: readonly string[], resources: readonly string[], conditions: Conditions): void {
    const effect = Effect.DENY;
    this.addToRolePolicy(new PolicyStatement({ effect, actions: [...actions], resources: [...resources], conditions }));
  }

  /** Connects the function to subnets. The CDK's own props take them only while the function is created. */
  connect(subnetIds: readonly string[], securityGroupId: string): void {
    const made = this.node.defaultChild;
    if (!(made instanceof CfnFunction)) throw new Error('A function is made of one resource');
    made.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [securityGroupId] };
  }
}

/** The function of that name, which is its id. */
export const functionNamed = (functions: readonly NodeFunction[], name: string): NodeFunction => {
  const found = functions.find(({ node }) => node.id === name);
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
};
