import * as z from 'zod';
import { endExecution } from '../batches/end-execution.ts';
import { fileAltered } from '../domain/batch/batch-status.ts';
import { errorNames } from '../domain/errors.ts';
import { once } from '../domain/once.ts';
import type { Reason } from '../domain/payout/payout.ts';
import { executionNumber } from '../ports/workflow.ts';
import { ledger, log } from '../runtime.ts';
import type { Needs } from './step.ts';
import { asStep, executionInput, getExistingBatch } from './step.ts';

/** The task's own time was over, or its function's ten seconds before that. */
const timedOut: Reason = {
  code: 'step_timed_out',
  message: 'A step took longer than it may. Resume to go on from the ledger.',
};

const invariantBroken: Reason = {
  code: 'invariant_broken',
  message: 'The ledger and the files contradict each other. Nothing more is submitted; look into it before you resume.',
};

/**
 * What a person does about the error that ended an execution, by the error's name. Lambda's are as Step Functions documents
 * them: a function that ends without an answer, by its time or its memory, is Sandbox.Timedout or Lambda.Unknown.
 */
const reasons: ReadonlyMap<string, Reason> = new Map(
  Object.entries({
    [errorNames.providerUnavailable]: {
      code: 'provider_unavailable',
      message: 'The provider did not answer for longer than was waited. Resume when it is back.',
    },
    [errorNames.providerMisconfigured]: {
      code: 'provider_misconfigured',
      message:
        'What is set does not fit the provider, so nothing was sent: a secret, the address, or a trait. `npm run check-provider` tells all of it. Mend it, then resume.',
    },
    [errorNames.providerRefused]: {
      code: 'provider_refused',
      message:
        'The provider refused a request, most likely the credentials. Mend them in Secrets Manager, then resume.',
    },
    [errorNames.noFeeEstimate]: {
      code: 'no_fee_estimate',
      message:
        'The provider gives no estimate of crypto fees. Nothing was paid: resume when it does, or cancel and start a file without wallet transfers.',
    },
    [errorNames.invariantBroken]: invariantBroken,
    [errorNames.currencyMismatch]: invariantBroken,
    [errorNames.fileAltered]: fileAltered,
    'States.Timeout': timedOut,
    'Sandbox.Timedout': timedOut,
    'Lambda.Unknown': {
      code: 'step_broke_off',
      message: 'A step took longer or more memory than it may: its log says which. Resume to go on from the ledger.',
    },
    'Lambda.TooManyRequestsException': {
      code: 'no_capacity',
      message: 'AWS had no room to run a step for longer than was waited. Resume to go on from the ledger.',
    },
  }),
);

/** @param cause as Step Functions has it; told of what a person cannot know without it */
export const reasonForFailure = (errorName: string, cause: string): Reason => {
  const reason = reasons.get(errorName) ?? {
    code: 'step_failed',
    message: 'A step failed unexpectedly; the execution shows which. Resume to go on from the ledger, or cancel.',
  };
  const told = errorName === errorNames.providerMisconfigured ? toldBy(cause) : undefined;
  return told === undefined ? reason : { ...reason, message: `${reason.message} ${told}` };
};

export const failureInput = executionInput.extend({
  error: z.object({ Error: z.string(), Cause: z.string().default('') }),
});

/** As Lambda hands an error to Step Functions. */
const lambdaError = once(() => z.object({ errorMessage: z.string() }));

/** What an error of our own told: its message holds endpoints, codes, and words of the provider without personal data. */
const toldBy = (cause: string): string | undefined => {
  try {
    return lambdaError().safeParse(JSON.parse(cause)).data?.errorMessage;
  } catch {
    return undefined;
  }
};

/**
 * Pauses a batch whose workflow met what it could not mend, with a reason a person can act on. What was submitted stays
 * in the ledger: resume starts another execution, which goes on from there; cancel ends it. Told once more after that, as a
 * retry can be, it leaves the batch to the execution that was started.
 */
export const recordFailure = async (
  { ledger }: Needs<{ ledger: 'getBatch' | 'moveBatch' | 'amendBatch' }>,
  { batchId, execution, error }: z.infer<typeof failureInput>,
): Promise<{ batchId: string; next: 'attention' }> => {
  const batch = await getExistingBatch(ledger, batchId);
  await endExecution(ledger, batch, executionNumber(batchId, execution), reasonForFailure(error.Error, error.Cause));
  return { batchId, next: 'attention' };
};

export const handler = asStep('RecordFailure', failureInput, log, (input) =>
  recordFailure({ ledger: ledger() }, input),
);
