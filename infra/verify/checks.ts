import { setTimeout as wait } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionRecursionConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, ValidateStateMachineDefinitionCommand } from '@aws-sdk/client-sfn';
import type { StackOutputs } from '../local/deploy.ts';
import type { FoundStack } from './stacks.ts';
import { interpreter, testStates } from './workflow/test-states.ts';

/** A stage that is deployed, as far as the checks look at it. */
export interface DeployedStage {
  readonly isLocal: boolean;
  readonly outputs: StackOutputs;
  readonly stacks: readonly FoundStack[];
  /** Logical ids of the functions whose template lets them wake themselves without end. */
  readonly mayLoop: ReadonlySet<string>;
}

export interface CheckAnswer {
  readonly problems: readonly string[];
  /** How much was looked at. */
  readonly told?: string;
  /** What of it was left out here, since only AWS can tell. */
  readonly leftOut?: readonly string[];
}

/** Something that has to hold of a deployed stage. */
export interface Check {
  readonly name: string;
  /** Why it says nothing on the local AWS; left out where it does. */
  readonly onlyOnAws?: string;
  readonly run: (stage: DeployedStage) => Promise<CheckAnswer>;
}

/** What a new table on demand takes at once, by AWS's documentation and infra/SETTINGS.md. */
const newTableWrites = 4000;

/** Logs are read a while after they are written. */
const logsWithinMs = 120_000;

const definitionOf = async ({ outputs }: DeployedStage): Promise<string> => {
  const { StateMachineArn: stateMachineArn } = outputs.PayoutOrchestrator;
  const { definition = '{}' } = await new SFNClient().send(new DescribeStateMachineCommand({ stateMachineArn }));
  return definition;
};

const physicalIds = (stage: DeployedStage, type: string) =>
  stage.stacks.flatMap(({ resources }) => resources).filter((resource) => resource.type === type);

/** What holds before anything is paid. */
export const checksBefore: readonly Check[] = [
  {
    name: 'Each state goes on as its definition says',
    run: async (stage) => {
      const { states, cases, leftOut, problems } = await testStates(
        interpreter(stage.isLocal),
        await definitionOf(stage),
        stage.isLocal,
      );
      return {
        problems,
        told: `${cases} questions about ${states} states`,
        leftOut: [...leftOut].map(([why, count]) => `${count} questions to TestState (${why})`),
      };
    },
  },
  {
    name: 'Step Functions finds nothing wrong with the definition',
    onlyOnAws: 'it calls every definition right',
    run: async (stage) => {
      const { diagnostics = [] } = await new SFNClient().send(
        new ValidateStateMachineDefinitionCommand({ definition: await definitionOf(stage), type: 'STANDARD' }),
      );
      return { problems: diagnostics.map(({ code, location, message }) => `${code} at ${location}: ${message}`) };
    },
  },
  {
    name: 'Lambda lets no function wake itself without end but the one that may',
    onlyOnAws: 'its stacks allow that to no function',
    run: async (stage) => {
      const lambda = new LambdaClient();
      const problems: string[] = [];
      const functions = physicalIds(stage, 'AWS::Lambda::Function');
      for (const { logicalId, physicalId } of functions) {
        const { RecursiveLoop } = await lambda.send(
          new GetFunctionRecursionConfigCommand({ FunctionName: physicalId }),
        );
        const wanted = stage.mayLoop.has(logicalId) ? 'Allow' : 'Terminate';
        if (RecursiveLoop !== wanted) problems.push(`${physicalId} is set to ${RecursiveLoop} instead of ${wanted}`);
      }
      return { problems, told: `${functions.length} functions` };
    },
  },
  {
    name: `A new table takes ${newTableWrites} write units a second`,
    onlyOnAws: 'its tables take no warm throughput from a stack',
    run: async (stage) => {
      const dynamodb = new DynamoDBClient();
      const problems: string[] = [];
      for (const { physicalId: TableName } of physicalIds(stage, 'AWS::DynamoDB::GlobalTable')) {
        const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
        const { WriteUnitsPerSecond = 0 } = Table?.WarmThroughput ?? {};
        if (WriteUnitsPerSecond < newTableWrites) problems.push(`${TableName} takes ${WriteUnitsPerSecond}`);
      }
      return { problems };
    },
  },
];

/** What holds once a batch has ended. */
export const checksAfter: readonly Check[] = [
  {
    name: 'The execution is in its log',
    onlyOnAws: 'its Step Functions write no logs',
    run: async ({ stacks }) => {
      const logs = new CloudWatchLogsClient();
      const stack = stacks.find(({ name }) => name.startsWith('PayoutOrchestrator'))?.name;
      const logGroupName = `/aws/vendedlogs/states/${stack}-batch`;
      for (const deadline = Date.now() + logsWithinMs; Date.now() < deadline; await wait(5000)) {
        const { events = [] } = await logs.send(new FilterLogEventsCommand({ logGroupName }));
        if (events.length > 0) return { problems: [] };
      }
      return { problems: [`${logGroupName} is empty ${logsWithinMs / 1000} s after the batch`] };
    },
  },
];
