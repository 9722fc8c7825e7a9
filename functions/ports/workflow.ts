/** The state machine, as the operator API needs it. */
export interface Workflow {
  /** Starts an execution of this name once. Returns `running` when it already runs, `over` when it has ended in any way. */
  start(executionName: string, input: { readonly batchId: string }): Promise<'started' | 'running' | 'over'>;
  /** Returns the state of the execution of this name: `over` when it has ended in any way, `absent` when it was never started. */
  stateOf(executionName: string): Promise<'running' | 'over' | 'absent'>;
  /** Returns the URL where an operator watches the execution. */
  consoleUrl(executionName: string): string;
}

/**
 * Returns the name of a batch's n-th execution, from 1. The first has the batch's name, so that the console finds it by the batch
 * id.
 */
export const executionName = (batchId: string, n: number): string => (n === 1 ? batchId : `${batchId}-${n}`);

/** Returns the number of the execution with this name, from 1. */
export const executionNumber = (batchId: string, name: string): number =>
  name === batchId ? 1 : Number.parseInt(name.slice(batchId.length + 1), 10);
