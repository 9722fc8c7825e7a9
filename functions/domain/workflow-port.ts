/** The state machine, as the operator API needs it. */
export interface Workflow {
  /** Starts an execution of that name. `exists` when one of that name was started before, whatever became of it. */
  start(executionName: string, input: { readonly batchId: string }): Promise<'started' | 'exists'>;
  /** Where an operator watches the execution. */
  consoleUrl(executionName: string): string;
}

/** Name of a batch's n-th execution (from 1): the first is named as the batch, so that the console is found by its id. */
export const executionName = (batchId: string, n: number): string => (n === 1 ? batchId : `${batchId}-${n}`);
