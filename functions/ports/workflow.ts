/** The state machine, as the operator API needs it. */
export interface Workflow {
  /** Starts an execution of that name, once: `running` when it already runs, `over` when it ended, however it did. */
  start(executionName: string, input: { readonly batchId: string }): Promise<'started' | 'running' | 'over'>;
  /** How an execution of that name stands: `over` however it ended, `absent` when it was never started. */
  stateOf(executionName: string): Promise<'running' | 'over' | 'absent'>;
  /** Where an operator watches the execution. */
  consoleUrl(executionName: string): string;
}

/** Name of a batch's n-th execution (from 1): the first is named as the batch, so that the console is found by its id. */
export const executionName = (batchId: string, n: number): string => (n === 1 ? batchId : `${batchId}-${n}`);

/** Which of a batch's executions has this name, from 1. */
export const executionNumber = (batchId: string, name: string): number =>
  name === batchId ? 1 : Number.parseInt(name.slice(batchId.length + 1), 10);
