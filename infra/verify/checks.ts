import { setTimeout as wait } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionRecursionConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, ValidateStateMachineDefinitionCommand } from '@aws-sdk/client-sfn';
import type { StackOutputs } from '../local/aws/deploy.ts';
import type { FoundStack, StackResource } from './stacks.ts';
import { resourcesOf } from './stacks.ts';
import { interpreter, testStates } from './workflow/test-states.ts';

/** A deployed stage, as far as the checks need it. */
export interface DeployedStage {
  readonly isLocal: boolean;
  readonly outputs: StackOutputs;
  readonly stacks: readonly FoundStack[];
  /** Logical ids of the functions that the template allows to invoke themselves without limit. */
  readonly mayLoop: ReadonlySet<string>;
}

export interface CheckAnswer {
  readonly problems: readonly string[];
  /** How much was checked. */
  readonly checked?: string;
  /** Parts that were left out because only AWS can answer them. */
  readonly leftOut?: readonly string[];
}

/** A property that a deployed stage must have. */
export interface Check {
  readonly name: string;
  /** Why the check is useless on the local AWS, if it is. */
  readonly onlyOnAws?: string;
  readonly run: (stage: DeployedStage) => Promise<CheckAnswer>;
}

/** Write units a second of a new on-demand table, by AWS's documentation and infra/SETTINGS.md. */
const newTableWrites = 4000;

/** Logs appear some time after they are written. */
const logsWithinMs = 120_000;

const definitionOf = async ({ outputs }: DeployedStage): Promise<string> => {
  const { StateMachineArn: stateMachineArn } = outputs.PayoutOrchestrator;
  const { definition = '{}' } = await new SFNClient().send(new DescribeStateMachineCommand({ stateMachineArn }));
  return definition;
};

const resourcesOfType = ({ stacks }: DeployedStage, type: string): readonly StackResource[] =>
  resourcesOf(stacks).filter((resource) => resource.type === type);

/** Checks before anything is paid. */
export const checksBefore: readonly Check[] = [
  {
    name: 'Each state follows its definition',
    run: async (stage) => {
      const { states, cases, leftOut, problems } = await testStates(
        interpreter(stage.isLocal),
        await definitionOf(stage),
        stage.isLocal,
      );
      return {
        problems,
        checked: `${cases} questions about ${states} states`,
        leftOut: [...leftOut].map(([why, count]) => `${count} questions to TestState (${why})`),
      };
    },
  },
  {
    name: 'Step Functions finds nothing wrong with the definition',
    onlyOnAws: 'it accepts every definition',
    run: async (stage) => {
      const { diagnostics = [] } = await new SFNClient().send(
        new ValidateStateMachineDefinitionCommand({ definition: await definitionOf(stage), type: 'STANDARD' }),
      );
      return { problems: diagnostics.map(({ code, location, message }) => `${code} at ${location}: ${message}`) };
    },
  },
  {
    name: 'Lambda stops every function loop except the one that is allowed',
    onlyOnAws: 'its stacks leave that setting out',
    run: async (stage) => {
      const lambda = new LambdaClient();
      const problems: string[] = [];
      const functions = resourcesOfType(stage, 'AWS::Lambda::Function');
      for (const { logicalId, physicalId } of functions) {
        const { RecursiveLoop } = await lambda.send(
          new GetFunctionRecursionConfigCommand({ FunctionName: physicalId }),
        );
        const wanted = stage.mayLoop.has(logicalId) ? 'Allow' : 'Terminate';
        if (RecursiveLoop !== wanted) problems.push(`${physicalId} is set to ${RecursiveLoop} instead of ${wanted}`);
      }
      return { problems, checked: `${functions.length} functions` };
    },
  },
  {
    name: `A new table takes ${newTableWrites} write units a second`,
    onlyOnAws: 'its stacks leave warm throughput out',
    run: async (stage) => {
      const dynamodb = new DynamoDBClient();
      const problems: string[] = [];
      for (const { physicalId: TableName } of resourcesOfType(stage, 'AWS::DynamoDB::GlobalTable')) {
        const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
        const { WriteUnitsPerSecond = 0 } = Table?.WarmThroughput ?? {};
        if (WriteUnitsPerSecond < newTableWrites) problems.push(`${TableName} takes ${WriteUnitsPerSecond}`);
      }
      return { problems };
    },
  },
];

/** Checks after the batch has ended. */
export const checksAfter: readonly Check[] = [
  {
    name: 'The execution is in its log',
    onlyOnAws: 'it writes no execution logs',
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
