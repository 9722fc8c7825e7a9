import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Clock, Ids, Log, Random } from '../../../functions/ports/environment.ts';
import type { Files } from '../../../functions/ports/files.ts';
import type { Ledger } from '../../../functions/ports/ledger/ledger.ts';
import type { Pace } from '../../../functions/ports/pace.ts';
import type { PaymentProvider } from '../../../functions/ports/provider.ts';
import type { ProviderCheck } from '../../../functions/ports/provider-check.ts';
import type { Schedules } from '../../../functions/ports/schedules.ts';
import type { Workflow } from '../../../functions/ports/workflow.ts';
import type { Invocation } from '../../../functions/steps/as-step.ts';
import { batchInput, stateMachineInput } from '../../../functions/steps/as-step.ts';
import { awaitStart } from '../../../functions/steps/await-start.ts';
import { endSubmit, endSubmitInput } from '../../../functions/steps/end-submit.ts';
import { followBatch, followInput } from '../../../functions/steps/follow.ts';
import { awaitRelease } from '../../../functions/steps/funding/await-release.ts';
import { convert } from '../../../functions/steps/funding/convert.ts';
import type { WaitingInput } from '../../../functions/steps/funding/count-waits.ts';
import { countWaits, waitingInput } from '../../../functions/steps/funding/count-waits.ts';
import { estimateBatchFees } from '../../../functions/steps/funding/estimate-fees.ts';
import { planBatchFunding } from '../../../functions/steps/funding/plan-funding.ts';
import { handOver } from '../../../functions/steps/hand-over.ts';
import { planBatch } from '../../../functions/steps/plan-batch.ts';
import { failureInput, recordFailure } from '../../../functions/steps/record-failure.ts';
import { reportBatch, reportInput } from '../../../functions/steps/report-batch.ts';
import { chunkInput, submitChunk } from '../../../functions/steps/submit-chunk.ts';
import type { FunctionRow } from '../../../infra/function-table/function-row.ts';
import { workflowSteps } from '../../../infra/function-table/workflow-steps.ts';

/** All dependencies that a function may have, for one invocation. */
export interface Environment {
  readonly ledger: Ledger;
  readonly files: Files;
  readonly provider: PaymentProvider;
  readonly providerCheck: ProviderCheck;
  readonly pace: Pace;
  readonly workflow: Workflow;
  readonly schedules: Schedules;
  readonly workflowOf: (stateMachine: string) => Workflow;
  readonly settings: OrchestratorSettings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
}

interface Step {
  /** Lambda's timeout in seconds. */
  readonly timeoutSeconds: number;
  readonly run: (environment: Environment, input: unknown, invocation: Invocation) => Promise<unknown>;
}

const step = <Input>(
  { timeoutSeconds }: FunctionRow,
  input: { readonly parse: (given: unknown) => Input },
  run: (environment: Environment, input: Input, invocation: Invocation) => Promise<unknown>,
): Step => ({
  timeoutSeconds,
  run: async (environment, given, invocation) => run(environment, input.parse(given), invocation),
});

const waitingStep = (
  row: FunctionRow,
  run: (environment: Environment, input: WaitingInput, invocation: Invocation) => Promise<{ readonly next: string }>,
): Step =>
  step(row, waitingInput, (environment, given, invocation) =>
    countWaits((input, of) => run(environment, input, of))(given, invocation),
  );

/** The real steps, by the names of the state machine's Tasks. */
export const steps: Readonly<Record<string, Step>> = {
  PlanBatch: step(workflowSteps.PlanBatch, batchInput, planBatch),
  AwaitStart: step(workflowSteps.AwaitStart, stateMachineInput, awaitStart),
  EstimateFees: waitingStep(workflowSteps.EstimateFees, estimateBatchFees),
  PlanFunding: waitingStep(workflowSteps.PlanFunding, planBatchFunding),
  AwaitRelease: waitingStep(workflowSteps.AwaitRelease, awaitRelease),
  Convert: waitingStep(workflowSteps.Convert, convert),
  SubmitChunk: step(workflowSteps.SubmitChunk, chunkInput, submitChunk),
  EndSubmit: step(workflowSteps.EndSubmit, endSubmitInput, endSubmit),
  Follow: step(workflowSteps.Follow, followInput, followBatch),
  HandOver: step(workflowSteps.HandOver, stateMachineInput, handOver),
  ReportBatch: step(workflowSteps.ReportBatch, reportInput, reportBatch),
  RecordFailure: step(workflowSteps.RecordFailure, failureInput, recordFailure),
} satisfies Readonly<Record<keyof typeof workflowSteps, Step>>;
