import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { StackOutputs } from '../local/aws/deploy.ts';
import { deploy, paysFromSandbox } from '../local/aws/deploy.ts';
import { connectPaymentService } from '../local/aws/payment-service.ts';
import { allPayouts, outcomeProblems } from '../local/batch/check-outcome.ts';
import { downloadResults } from '../local/batch/download-results.ts';
import { followBatch, startBatch, uploadFile } from '../local/batch/run-batch.ts';
import { costReport } from '../local/batch/summary.ts';
import { usageOf } from '../local/costs/batch-usage.ts';
import { costOf } from '../local/costs/price-list.ts';
import { OperatorClient } from '../local/operator-client.ts';
import { PlainError } from '../local/plain-error.ts';
import type { Check, CheckAnswer, DeployedStage } from './checks.ts';
import { checksAfter, checksBefore } from './checks.ts';
import { destroyStage } from './destroy-stage.ts';
import type { Prepared } from './prepare.ts';
import { stacksOf } from './stacks.ts';
import type { Progress, VerifiedAws } from './verified-aws.ts';

export interface Verification extends Progress {
  readonly aws: VerifiedAws;
  readonly prepared: Prepared;
  /** The payout file that the sandbox pays. */
  readonly file: string;
  /** Aborting it ends the run early. The stage is destroyed in any case. */
  readonly signal: AbortSignal;
}

/** The results, in lines. */
export interface Findings {
  /** Checks that failed. Empty when all is well. */
  readonly problems: readonly string[];
  readonly holds: readonly string[];
  /** Checks that were left out because only AWS can answer them. */
  readonly leftOut: readonly string[];
  readonly costs: readonly string[];
  readonly stays: readonly string[];
}

/** Time limit for an aborted program to end. */
const endingMs = 30_000;

type Mutable<Lines> = { -readonly [Key in keyof Lines]: string[] };

/** Deploys a stage, checks it, lets it pay a file, and destroys it, whatever happens. */
export const verifyStage = async (run: Verification): Promise<Findings> => {
  const { aws, say, onCdkLine } = run;
  const findings: Mutable<Findings> = { problems: [], holds: [], leftOut: [], costs: [], stays: [] };
  try {
    await unlessAborted(run.signal, useStage(run, findings));
  } catch (error) {
    findings.problems.push(whatFailed(error));
    say(whatFailed(error));
  }
  say('Destroying it');
  try {
    const { left, stays } = await destroyStage(aws, { say, onCdkLine });
    findings.problems.push(...left.map((one) => `Left behind: ${one}`));
    if (left.length === 0) findings.holds.push('Nothing is left of the stage');
    findings.stays.push(...stays);
  } catch (error) {
    findings.problems.push(whatFailed(error));
  }
  return findings;
};

/** The message of a plain error. Other errors also show where they happened. */
const whatFailed = (error: unknown): string => {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** Waits for the work. After an abort the work has `endingMs` to end. */
const unlessAborted = async (signal: AbortSignal, work: Promise<void>): Promise<void> => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  const endedAfter = async (): Promise<void> => {
    await aborted;
    await Promise.race([work, wait(endingMs, undefined, { ref: false })]);
  };
  try {
    await Promise.race([work, endedAfter()]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
};

/**
 * Stops before a run that would not pay from the sandbox, whatever the settings were.
 *
 * @throws PlainError
 */
export const refuseRealAccount = (outputs: Pick<StackOutputs, 'PaymentService'>): void => {
  if (!paysFromSandbox(outputs)) throw new PlainError('This stage would pay from a real account, so nothing was paid.');
};

const useStage = async (run: Verification, findings: Mutable<Findings>): Promise<void> => {
  const { aws, prepared, signal, say, onCdkLine } = run;
  say('Deploying both stacks');
  const outputs = await deploy(aws.target, { settings: prepared.settings, onLine: onCdkLine, signal });
  refuseRealAccount(outputs);
  await connectPaymentService(outputs);
  const stacks = await stacksOf(aws.target.settings.stage);
  const stage = { isLocal: aws.isLocal, outputs, stacks, mayLoop: prepared.mayLoop };
  await runChecks(checksBefore, stage, run, findings);
  await payFile(run, outputs, findings);
  await runChecks(checksAfter, stage, run, findings);
};

const failedCheck = (error: unknown): CheckAnswer => ({ problems: [whatFailed(error)] });

const runChecks = async (
  checks: readonly Check[],
  stage: DeployedStage,
  { signal, say }: Verification,
  findings: Mutable<Findings>,
): Promise<void> => {
  for (const { name, onlyOnAws, run } of checks) {
    signal.throwIfAborted();
    if (stage.isLocal && onlyOnAws !== undefined) {
      findings.leftOut.push(`${name} (${onlyOnAws})`);
      continue;
    }
    say(`Checking: ${name}`);
    const { problems, checked, leftOut = [] } = await run(stage).catch(failedCheck);
    findings.problems.push(...problems.map((problem) => `${name}: ${problem}`));
    if (problems.length === 0) findings.holds.push(checked === undefined ? name : `${name} (${checked})`);
    findings.leftOut.push(...leftOut);
  }
};

/** Follows the demo, from the upload to the comparison with the file. */
const payFile = async (run: Verification, outputs: StackOutputs, findings: Mutable<Findings>): Promise<void> => {
  const { aws, file, signal, say } = run;
  const { ApiUrl, FilesBucket, StateMachineArn } = outputs.PayoutOrchestrator;
  const { region, folder } = aws.target;
  const api = new OperatorClient({ apiUrl: ApiUrl, region, credentials: aws.credentials });
  const key = await uploadFile(FilesBucket, file);
  const batchId = await startBatch(api, key, randomUUID());
  say(`Paying ${path.basename(file)}: batch ${batchId}`);
  const batch = await followBatch(api, batchId, (line) => {
    say(line);
    signal.throwIfAborted();
  });
  const requests = api.requests;
  const payouts = await allPayouts(api, batchId);
  const proofs = await downloadResults(api, FilesBucket, batch, payouts, path.join(folder, batchId));
  const problems = await outcomeProblems(file, batch, payouts);
  findings.problems.push(...problems);
  if (problems.length === 0) findings.holds.push(paid(batch, payouts.length, proofs));
  const costs = costOf(await usageOf(batch, StateMachineArn, FilesBucket, requests));
  findings.costs.push(costReport(batch, costs).line);
};

const paid = (batch: BatchView, payouts: number, proofs: number): string =>
  `Every row of the file is accounted for (batch ${batch.status.replaceAll('_', ' ')}, ${payouts} payouts, ${proofs} proofs)`;
