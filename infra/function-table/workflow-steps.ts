import type { FunctionRow } from './function-row.ts';
import { asks, bothCredentials, change } from './function-row.ts';

/** Step Functions ends a task that posts after this time. A call may be looked up only later: see `resolveAfterSeconds`. */
export const postingTaskSeconds = 100;

/** Function timeout of the steps that post. The ten seconds to the task's timeout are for starting and answering. */
export const postingFunctionSeconds = 90;

/** The Task states, by their names in statemachines/batch.asl.json. */
export const workflowSteps = {
  PlanBatch: {
    entry: 'functions/steps/plan-batch.ts',
    description: 'Reads the payout file, checks every row and splits it into chunks',
    // A million rows take a minute or two. The rest is for a slow provider, and for looking references up.
    timeoutSeconds: 900,
    memoryMb: 1769,
    ledger: [...change, 'readMany', 'delete'],
    files: ['readUploads', 'readPlans', 'writePlans'],
    provider: ['authorization'],
  },
  AwaitStart: {
    entry: 'functions/steps/await-start.ts',
    description: 'Ends the execution of a batch whose start time lies ahead, and schedules the next one',
    timeoutSeconds: 60,
    ledger: [...change, 'delete'],
  },
  EstimateFees: {
    entry: 'functions/steps/funding/estimate-fees.ts',
    description: 'Checks that the provider matches the settings, and estimates fees',
    timeoutSeconds: 90,
    ledger: change,
    provider: asks,
  },
  PlanFunding: {
    entry: 'functions/steps/funding/plan-funding.ts',
    description: 'Compares balances with what the batch needs, reserves funds, and plans conversions for what is short',
    timeoutSeconds: 90,
    ledger: [...change, 'delete'],
    provider: bothCredentials,
  },
  AwaitRelease: {
    entry: 'functions/steps/funding/await-release.ts',
    description: 'Runs every check before money moves, and waits for approval when one finds something',
    timeoutSeconds: 60,
    ledger: [...change, 'delete'],
  },
  Convert: {
    entry: 'functions/steps/funding/convert.ts',
    description: 'Converts currency for one shortfall, at most once',
    timeoutSeconds: postingFunctionSeconds,
    ledger: [...change, 'delete'],
    provider: bothCredentials,
  },
  SubmitChunk: {
    entry: 'functions/steps/submit-chunk.ts',
    description: 'Registers the payouts of a chunk, claims a call and makes it once',
    timeoutSeconds: postingFunctionSeconds,
    ledger: change,
    files: ['readPlans'],
    provider: bothCredentials,
  },
  EndSubmit: {
    entry: 'functions/steps/end-submit.ts',
    description: 'Records that a round of submitting is over',
    timeoutSeconds: 60,
    ledger: change,
  },
  Follow: {
    entry: 'functions/steps/follow.ts',
    description: 'Checks every open payout of a batch once, archives proofs, and decides what comes next',
    // A sweep stops one minute early. The time until the next sweep is for proofs.
    timeoutSeconds: 900,
    memoryMb: 1024,
    ledger: [...change, 'readMany'],
    files: ['writeProofs', 'lockRecords', 'writeRounds'],
    provider: asks,
  },
  HandOver: {
    entry: 'functions/steps/hand-over.ts',
    description: 'Starts the next execution of a batch when the history of this one is nearly full',
    timeoutSeconds: 60,
    ledger: change,
  },
  ReportBatch: {
    entry: 'functions/steps/report-batch.ts',
    description: 'Adds everything up, writes the reports and gives the batch its final status',
    timeoutSeconds: 900,
    memoryMb: 1769,
    ledger: [...change, 'readMany', 'delete'],
    files: ['readPlans', 'writeReports', 'lockRecords'],
  },
  RecordFailure: {
    entry: 'functions/steps/record-failure.ts',
    description: 'Turns a failed execution into a batch status with a reason that a person can act on',
    timeoutSeconds: 60,
    ledger: change,
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;
