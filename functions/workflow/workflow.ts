import type { SFNClient } from '@aws-sdk/client-sfn';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { unless } from '../domain/errors.ts';
import type { Workflow } from '../ports/workflow.ts';

/** Starts executions of the state machine, reads their state, and links to them. */
export const createWorkflow = (sfn: SFNClient, stateMachineArn: string): Workflow => {
  const executionArn = (executionName: string): string =>
    `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${executionName}`;

  const stateOf: Workflow['stateOf'] = async (executionName) => {
    const described = await sfn
      .send(new DescribeExecutionCommand({ executionArn: executionArn(executionName) }))
      .catch(unless(ExecutionDoesNotExist));
    if (described === undefined) return 'absent';
    return described.status === 'RUNNING' || described.status === 'PENDING_REDRIVE' ? 'running' : 'over';
  };

  return {
    stateOf,
    start: async (executionName, input) => {
      const started = await sfn
        .send(new StartExecutionCommand({ stateMachineArn, name: executionName, input: JSON.stringify(input) }))
        .catch(unless(ExecutionAlreadyExists));
      if (started !== undefined) return 'started';
      return (await stateOf(executionName)) === 'running' ? 'running' : 'over';
    },
    consoleUrl: (executionName) => {
      const [, partition, , region] = stateMachineArn.split(':');
      const host = partition === 'aws-cn' ? 'console.amazonaws.cn' : 'console.aws.amazon.com';
      return `https://${region}.${host}/states/home?region=${region}#/v2/executions/details/${executionArn(executionName)}`;
    },
  };
};
