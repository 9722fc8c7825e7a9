import * as z from 'zod';
import { endExecution } from '../batches/end-execution.ts';
import { fileAltered } from '../domain/batch/batch-status.ts';
import type { ErrorName } from '../domain/errors.ts';
import { errorNames } from '../domain/errors.ts';
import { parseJson } from '../domain/json-text.ts';
import { once } from '../domain/once.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { Needs } from '../ports/needs.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, ledger, log } from '../runtime.ts';
import { asStep, executionInput, getExistingBatch } from './as-step.ts';

/** The task's timeout, or its function's, which is ten seconds shorter. */
const timedOut: Reason = {
  code: 'step_timed_out',
  message: 'A step exceeded its time limit. Resume to go on from the ledger.',
};

/** Lambda did not run the step. */
const noCapacity: Reason = {
  code: 'no_capacity',
  message: 'AWS had no capacity to run a step, and the retries are used up. Resume to go on from the ledger.',
};

/** Out of memory, most likely. */
const brokeOff: Reason = {
  code: 'step_broke_off',
  message: 'A step ran out of time or memory: its log shows which. Resume to go on from the ledger.',
};

const invariantBroken: Reason = {
  code: 'invariant_broken',
  message: 'The ledger and the files contradict each other. Nothing more is submitted. Find out why before you resume.',
};

/**
 * What a person does about the error that ended an execution, by the error's name. Step Functions documents Sandbox.Timedout and
 * Lambda.Unknown for a function that ends without an answer. Lambda itself names the error Runtime.ExitError or
 * Runtime.OutOfMemory, and Step Functions passes such names on.
 */
const reasons: Readonly<Record<ErrorName, Reason>> & Readonly<Record<string, Reason>> = {
  [errorNames.providerUnavailable]: {
    code: 'provider_unavailable',
    message: 'The provider did not answer, and the retries are used up. Resume once it answers again.',
  },
  [errorNames.providerMisconfigured]: {
    code: 'provider_misconfigured',
    message:
      'The settings do not fit the provider (a secret, the address or a trait), so nothing was sent. `npm run check-provider` shows every problem. Correct them, then resume.',
  },
  [errorNames.providerRefused]: {
    code: 'provider_refused',
    message:
      'The provider refused a request, most likely the credentials. Correct them in Secrets Manager, wait five minutes, then resume.',
  },
  [errorNames.accountChanged]: {
    code: 'account_changed',
    message:
      'The batch was planned for another account than the one that is deployed now, so it is not continued. Deploy the former account, then resume. A batch that does not disburse yet can also be canceled.',
  },
  [errorNames.noFeeEstimate]: {
    code: 'no_fee_estimate',
    message:
      'The provider gives no estimate of crypto fees. Nothing was paid. Resume once it does, or cancel and start a file without wallet transfers.',
  },
  [errorNames.invariantBroken]: invariantBroken,
  [errorNames.currencyMismatch]: invariantBroken,
  [errorNames.fileAltered]: fileAltered,
  'States.Timeout': timedOut,
  'Sandbox.Timedout': timedOut,
  'Lambda.Unknown': brokeOff,
  'Runtime.ExitError': brokeOff,
  'Runtime.OutOfMemory': brokeOff,
  'Lambda.TooManyRequestsException': noCapacity,
  'Lambda.ResourceNotReadyException': noCapacity,
};

/** Errors whose message a person needs to act. */
const errorsWithDetails: readonly string[] = [
  errorNames.providerMisconfigured,
  errorNames.providerRefused,
  errorNames.accountChanged,
];

/** @param cause as Step Functions passes it; its text is added only where a person needs it to act */
export const reasonForFailure = (errorName: string, cause: string): Reason => {
  const reason = (Object.hasOwn(reasons, errorName) ? reasons[errorName] : undefined) ?? {
    code: 'step_failed',
    message: 'A step failed unexpectedly; the execution shows which. Resume to go on from the ledger, or cancel.',
  };
  // The message of one of our own errors. domain/errors.ts says what it may contain.
  const error = errorsWithDetails.includes(errorName) ? parseJson(lambdaError(), cause) : undefined;
  return error === undefined ? reason : { ...reason, message: `${reason.message} ${error.errorMessage}` };
};

export const failureInput = executionInput.extend({
  error: z.object({ Error: z.string(), Cause: z.string().default('') }),
});

/** The shape in which Lambda passes an error to Step Functions. */
const lambdaError = once(() => z.object({ errorMessage: z.string() }));

/**
 * Pauses a batch whose execution failed with an error that retries could not fix, and records a reason that a person can act
 * on. Submitted payouts stay in the ledger: resume starts another execution, which continues from there; cancel ends the batch.
 * A late repetition leaves the batch to the execution that has started meanwhile.
 */
export const recordFailure = async (
  { ledger }: Needs<{ ledger: 'getBatch' | 'moveBatch' | 'amendBatch' }>,
  { batchId, execution, error }: z.infer<typeof failureInput>,
): Promise<{ batchId: string; next: 'attention' }> => {
  const batch = await getExistingBatch(ledger, batchId);
  await endExecution(ledger, batch, executionNumber(batchId, execution), reasonForFailure(error.Error, error.Cause));
  return { batchId, next: 'attention' };
};

export const handler = asStep('RecordFailure', failureInput, log, bind(recordFailure, { ledger }));
