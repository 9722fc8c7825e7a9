import * as z from 'zod';
import type { Batch } from '../domain/batch/batch.ts';
import type { PlanSummary } from '../domain/batch/plan.ts';
import {
  CurrencyMismatch,
  FileAltered,
  InvariantBroken,
  NoFeeEstimate,
  ProviderRefused,
  ProviderUnavailable,
} from '../domain/errors.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock, Ids, Log, Random } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { ProviderCheck } from '../ports/ledger/provider-check.ts';
import type { Pace } from '../ports/pace.ts';
import type { PaymentProvider } from '../ports/provider.ts';

/** What steps act through, by the names these have among a step's dependencies. */
interface Ports {
  readonly ledger: Ledger;
  readonly files: Files;
  readonly provider: PaymentProvider;
  readonly providerCheck: ProviderCheck;
  readonly pace: Pace;
  readonly settings: OrchestratorSettings;
  readonly ids: Ids;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

/** A step's dependencies: some members of some ports, so that it can do nothing else, and other ports whole. */
export type Needs<
  Members extends { readonly [Port in keyof Ports]?: keyof Ports[Port] },
  Whole extends keyof Ports = never,
> = {
  readonly [Port in keyof Members & keyof Ports]: Pick<Ports[Port], Members[Port] & keyof Ports[Port]>;
} & Pick<Ports, Whole>;

/** What Lambda tells of the invocation a step runs in. */
export interface Invocation {
  /** Milliseconds until Lambda ends it. */
  readonly remainingMs: () => number;
}

export const batchInput = z.object({ batchId: z.string().min(1) });
export type BatchInput = z.infer<typeof batchInput>;

/** Of steps that write down the end of their execution: its name says which it is. */
export const executionInput = batchInput.extend({ execution: z.string().min(1) });

/** Errors of our own: their messages hold endpoints, ids and codes. */
const speakable = [ProviderUnavailable, ProviderRefused, NoFeeEstimate, InvariantBroken, FileAltered, CurrencyMismatch];

/** Where an error was thrown, without its message, which stands at the head of its stack. */
const framesOf = ({ stack = '', message }: Error): string =>
  stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? [])
    .slice(0, 4)
    .join(' < ');

/**
 * What leaves a step. Lambda logs whatever a handler throws, with its message, its stack and every field it has, and the
 * state machine keeps message and stack in the execution's history. Messages of others may quote what they were given (as
 * JSON.parse does, of a chunk file or of a secret), and errors of DynamoDB carry items: of theirs only the name goes on.
 */
const fitToBeKept = (error: unknown): unknown => {
  if (speakable.some((kind) => error instanceof kind)) return error;
  const told = new Error('What it said is left out, since it may quote what it was given.');
  told.name = error instanceof Error ? error.name : 'UnknownError';
  return told;
};

/**
 * Makes a Lambda handler of a step: checks the input, runs it, and lets what it throws go to the state machine, whose
 * Retry and Catch match the error's name. Only ids, codes and places in the code are logged and thrown.
 */
export const asStep =
  <Input extends { batchId: string; chunk?: number }, Output extends { next: string }>(
    name: string,
    input: z.ZodType<Input>,
    log: Log,
    run: (input: Input, invocation: Invocation) => Promise<Output>,
  ) =>
  async (event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<Output> => {
    const parsed = input.parse(event);
    const { batchId, chunk } = parsed;
    const fields = { step: name, batchId, ...(chunk === undefined ? {} : { chunk }) };
    try {
      const output = await run(parsed, { remainingMs: () => context.getRemainingTimeInMillis() });
      log.info('step.done', { ...fields, next: output.next });
      return output;
    } catch (error) {
      const failure = error instanceof Error ? { error: error.name, at: framesOf(error) } : { error: 'unknown' };
      log.warn('step.failed', { ...fields, ...failure });
      throw fitToBeKept(error);
    }
  };

/** The batch, which must be there: an execution is started only for a batch that was written before. */
export const getExistingBatch = async (ledger: Pick<Ledger, 'getBatch'>, batchId: string): Promise<Batch> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new InvariantBroken(`batch ${batchId} is not in the ledger`);
  return batch;
};

/** The batch's plan, which must be recorded: steps after PlanBatch run only when it is. */
export const planOf = (batch: Batch): PlanSummary => {
  if (batch.plan === undefined) throw new InvariantBroken(`batch ${batch.batchId} has no plan`);
  return batch.plan;
};
