import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import {
  paginateGetExecutionHistory,
  paginateListExecutions,
  paginateListMapRuns,
  SFNClient,
} from '@aws-sdk/client-sfn';

/** What executions of the workflow used, by their own histories. */
export interface WorkflowUsage {
  readonly executions: number;
  readonly stateTransitions: number;
  readonly lambdaRequests: number;
  readonly lambdaMs: number;
  readonly lambdaMbMs: number;
}

/** The names of an execution and of the children its Distributed Maps started. */
async function familyOf(sfn: SFNClient, executionArn: string): Promise<readonly string[]> {
  const family = [executionArn];
  for await (const { mapRuns } of paginateListMapRuns({ client: sfn }, { executionArn })) {
    for (const { mapRunArn } of mapRuns ?? []) {
      for await (const { executions } of paginateListExecutions({ client: sfn }, { mapRunArn })) {
        for (const child of executions ?? []) if (child.executionArn !== undefined) family.push(child.executionArn);
      }
    }
  }
  return family;
}

/** Counts what an execution and its children used. Lambda time is from start to answer, as their histories tell it. */
export async function workflowUsage(executionArn: string): Promise<WorkflowUsage> {
  const sfn = new SFNClient();
  const memory = memoryByFunction();
  let stateTransitions = 0;
  let lambdaRequests = 0;
  let lambdaMs = 0;
  let lambdaMbMs = 0;
  const family = await familyOf(sfn, executionArn);
  for (const arn of family) {
    const events = new Map<number, HistoryEvent>();
    for await (const page of paginateGetExecutionHistory({ client: sfn }, { executionArn: arn })) {
      for (const event of page.events ?? []) events.set(event.id ?? 0, event);
    }
    for (const event of events.values()) {
      if (event.type?.endsWith('StateEntered')) stateTransitions += 1;
      const call = lambdaCall(event, events);
      if (call === undefined) continue;
      lambdaRequests += 1;
      lambdaMs += call.milliseconds;
      lambdaMbMs += call.milliseconds * (await memory(call.functionArn));
    }
  }
  return { executions: family.length, stateTransitions, lambdaRequests, lambdaMs, lambdaMbMs };
}

const ended = /^(LambdaFunction|Task)(Succeeded|Failed|TimedOut)$/;

/** The function call that this event ended: its function, and the time since it was scheduled. */
function lambdaCall(event: HistoryEvent, events: ReadonlyMap<number, HistoryEvent>) {
  if (!ended.test(event.type ?? '')) return undefined;
  let before = events.get(event.previousEventId ?? 0);
  while (before !== undefined && !before.type?.endsWith('Scheduled')) before = events.get(before.previousEventId ?? 0);
  const functionArn =
    before?.lambdaFunctionScheduledEventDetails?.resource ?? before?.taskScheduledEventDetails?.resource;
  if (functionArn === undefined) return undefined;
  const milliseconds = (event.timestamp?.getTime() ?? 0) - (before?.timestamp?.getTime() ?? 0);
  return { functionArn, milliseconds: Math.max(milliseconds, 1) };
}

function memoryByFunction(): (functionArn: string) => Promise<number> {
  const lambda = new LambdaClient();
  const known = new Map<string, number>();
  return async (functionArn) => {
    const found = known.get(functionArn);
    if (found !== undefined) return found;
    const { MemorySize } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionArn }));
    known.set(functionArn, MemorySize ?? 128);
    return MemorySize ?? 128;
  };
}
