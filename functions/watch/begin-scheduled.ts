import * as z from 'zod';
import { beginWhenDue } from '../batches/begin-when-due.ts';
import type { Needs } from '../ports/needs.ts';
import type { Workflow } from '../ports/workflow.ts';
import { clock, ledger, log, workflowOf } from '../runtime.ts';

/** The input from a schedule: see workflow/schedules.ts. */
const wakeCall = z.object({ batchId: z.string().min(1), stateMachine: z.string().min(1) });

type BeginScheduledDependencies = Needs<{ ledger: 'getBatch' | 'beginExecution' }, 'clock' | 'log'> & {
  readonly workflowOf: (stateMachine: string) => Pick<Workflow, 'start'>;
};

/** Starts the execution of a batch whose time has come. Does nothing for a batch that was canceled, or has begun already. */
export const beginScheduled = async (
  { ledger, workflowOf, clock, log }: BeginScheduledDependencies,
  { batchId, stateMachine }: z.infer<typeof wakeCall>,
): Promise<void> => {
  const batch = await ledger.getBatch(batchId);
  const isBegun = batch && (await beginWhenDue({ ledger, workflow: workflowOf(stateMachine) }, batch, clock()));
  log.info('schedule.woke', { batchId, begun: isBegun === true });
};

export const handler = (event: unknown): Promise<void> =>
  beginScheduled({ ledger: ledger(), workflowOf, clock, log }, wakeCall.parse(event));
