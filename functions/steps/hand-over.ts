import type * as z from 'zod';
import { startAnother, startLatest } from '../batches/start-execution.ts';
import type { Needs } from '../ports/needs.ts';
import type { Workflow } from '../ports/workflow.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, ledger, log, workflowOf } from '../runtime.ts';
import { asStep, getExistingBatch, stateMachineInput } from './as-step.ts';

interface HandOverDependencies extends Needs<{ ledger: 'getBatch' | 'beginExecution' }> {
  readonly workflowOf: (stateMachine: string) => Pick<Workflow, 'start'>;
}

/**
 * Starts the batch's next execution, because this one's history is nearly full. The next one finds its place in the ledger. Run
 * twice, it starts one. Run late, after an operator has started another, it starts none.
 */
export const handOver = async (
  { ledger, workflowOf }: HandOverDependencies,
  { batchId, execution, stateMachine }: z.infer<typeof stateMachineInput>,
): Promise<{ batchId: string; next: 'handed_over' }> => {
  const batch = await getExistingBatch(ledger, batchId);
  const dependencies = { ledger, workflow: workflowOf(stateMachine) };
  const own = executionNumber(batchId, execution);
  if (batch.executions === own) await startAnother(dependencies, batch, 'system');
  else if (batch.executions === own + 1) await startLatest(dependencies, batch);
  return { batchId, next: 'handed_over' };
};

const run = bind(handOver, { ledger, workflowOf: () => workflowOf });

export const handler = asStep('HandOver', stateMachineInput, log, run);
