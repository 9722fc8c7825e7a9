import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import {
  DescribeStateMachineCommand,
  paginateGetExecutionHistory,
  paginateListExecutions,
  paginateListMapRuns,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { transitionsOf } from './state-transitions.ts';
import { taskAttemptsOf } from './task-attempts.ts';

/** What executions of the workflow used, counted from their histories. */
export interface WorkflowUsage {
  readonly executions: number;
  readonly stateTransitions: number;
  readonly lambdaRequests: number;
  readonly lambdaMs: number;
  readonly lambdaMbMs: number;
}

/** The ARNs of an execution and of the children that its Distributed Map started. */
export const executionFamily = async (sfn: SFNClient, executionArn: string): Promise<readonly string[]> => {
  const family = [executionArn];
  for await (const { mapRuns } of paginateListMapRuns({ client: sfn }, { executionArn })) {
    for (const { mapRunArn } of mapRuns ?? []) {
      for await (const { executions } of paginateListExecutions({ client: sfn }, { mapRunArn })) {
        for (const child of executions ?? []) if (child.executionArn !== undefined) family.push(child.executionArn);
      }
    }
  }
  return family;
};

/** Counts what an execution and its children used. Lambda time is the time from scheduling to response in their histories. */
export const workflowUsage = async (stateMachineArn: string, executionName: string): Promise<WorkflowUsage> => {
  const sfn = new SFNClient();
  const memoryOf = memoryByFunction();
  const { definition = '{}' } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  const family = await executionFamily(
    sfn,
    `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${executionName}`,
  );
  const used = { executions: family.length, stateTransitions: 0, lambdaRequests: 0, lambdaMs: 0, lambdaMbMs: 0 };
  for (const executionArn of family) {
    const events: HistoryEvent[] = [];
    for await (const page of paginateGetExecutionHistory({ client: sfn }, { executionArn })) {
      events.push(...(page.events ?? []));
    }
    used.stateTransitions += transitionsOf(definition, events);
    for (const { resource, scheduled, ended } of taskAttemptsOf(events)) {
      const milliseconds = Math.max((ended.timestamp?.getTime() ?? 0) - (scheduled.timestamp?.getTime() ?? 0), 1);
      used.lambdaRequests += 1;
      used.lambdaMs += milliseconds;
      used.lambdaMbMs += milliseconds * (await memoryOf(resource));
    }
  }
  return used;
};

const memoryByFunction = (): ((functionArn: string) => Promise<number>) => {
  const lambda = new LambdaClient();
  const known = new Map<string, number>();
  return async (functionArn) => {
    const found = known.get(functionArn);
    if (found !== undefined) return found;
    const { MemorySize = 128 } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionArn }));
    known.set(functionArn, MemorySize);
    return MemorySize;
  };
};
