import * as z from 'zod';
import type { Batch } from '../domain/batch/batch.ts';
import type { PlanSummary } from '../domain/batch/plan.ts';
import {
  AccountChanged,
  CurrencyMismatch,
  FileAltered,
  InvariantBroken,
  NoFeeEstimate,
  ProviderRefused,
  ProviderUnavailable,
} from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import type { Log } from '../ports/environment.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';

/** The part of Lambda's context that steps use. */
export interface Invocation {
  /** Milliseconds until Lambda ends the invocation. */
  readonly remainingMs: () => number;
}

export const batchInput = z.object({ batchId: z.string().min(1) });
export type BatchInput = z.infer<typeof batchInput>;

/** Input of steps that must know their execution. `execution` is its name. */
export const executionInput = batchInput.extend({ execution: z.string().min(1) });

/** Input of steps that begin an execution or have one begun. */
export const stateMachineInput = executionInput.extend({
  /** ARN of the state machine, from the execution's context. */
  stateMachine: z.string().min(1),
});

/** The errors whose messages may leave a step. domain/errors.ts says what these may contain. */
const ownErrors = [
  ProviderUnavailable,
  ProviderRefused,
  AccountChanged,
  NoFeeEstimate,
  InvariantBroken,
  FileAltered,
  CurrencyMismatch,
];

/** Returns where an error was thrown, without the message at the head of its stack. */
const framesOf = ({ stack = '', message }: Error): string =>
  stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? [])
    .slice(0, 4)
    .join(' < ');

/**
 * Returns the error that may leave a step. Lambda logs a thrown error with message, stack and all fields, and the state machine
 * keeps message and stack in the execution's history. Foreign messages may quote their input: JSON.parse quotes a chunk file or
 * a secret, and DynamoDB's errors carry items. So only the name of a foreign error is kept.
 */
const withoutForeignText = (error: unknown): unknown => {
  if (ownErrors.some((kind) => error instanceof kind)) return error;
  const named = new Error('The message is left out, because it may quote its input.');
  named.name = error instanceof Error ? error.name : 'UnknownError';
  return named;
};

/**
 * Wraps a step as a Lambda handler. Checks the input, runs the step, and passes errors on to the state machine. Its Retry and
 * RecordFailure match the error's name. Logs only ids, codes and places in the code. Throws `ownErrors` as they are, and of any
 * other error only the name. An input that does not fit is a failure too, and its log has no ids.
 */
export const asStep =
  <Input extends { batchId: string; chunk?: number }, Output extends { next: string }>(
    name: string,
    input: z.ZodType<Input>,
    log: Log,
    run: (input: Input, invocation: Invocation) => Promise<Output>,
  ) =>
  async (event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<Output> => {
    let fields: Readonly<Record<string, string | number>> = { step: name };
    try {
      const parsed = input.parse(event);
      const { batchId, chunk } = parsed;
      fields = { ...fields, batchId, ...given({ chunk }) };
      const output = await run(parsed, { remainingMs: () => context.getRemainingTimeInMillis() });
      log.info('step.done', { ...fields, next: output.next });
      return output;
    } catch (error) {
      const failure = error instanceof Error ? { error: error.name, at: framesOf(error) } : { error: 'unknown' };
      log.warn('step.failed', { ...fields, ...failure });
      throw withoutForeignText(error);
    }
  };

/**
 * Reads the batch. It must exist, because an execution is started only for a recorded batch.
 *
 * @throws InvariantBroken when it does not
 */
export const getExistingBatch = async (ledger: Pick<Ledger, 'getBatch'>, batchId: string): Promise<Batch> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new InvariantBroken(`batch ${batchId} is not in the ledger`);
  return batch;
};

/**
 * Returns the batch's plan. It must exist, because steps after PlanBatch run only once it is recorded.
 *
 * @throws InvariantBroken when it does not
 */
export const planOf = (batch: Batch): PlanSummary => {
  if (batch.plan === undefined) throw new InvariantBroken(`batch ${batch.batchId} has no plan`);
  return batch.plan;
};
