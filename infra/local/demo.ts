import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { Listr } from 'listr2';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../functions/api/schemas/payout.ts';
import { LocalAwsSetup } from './bring-up.ts';
import { allPayouts, outcomeProblems } from './check-outcome.ts';
import { startConsole } from './console/start-console.ts';
import { usageOf } from './demo-usage.ts';
import { rememberKeptUp } from './deployed-aws.ts';
import { downloadResults } from './download-results.ts';
import { localPort } from './local-port.ts';
import { OperatorClient } from './operator-client.ts';
import { exampleFile, localFolder } from './places.ts';
import { PlainError } from './plain-error.ts';
import { costOf } from './price-list.ts';
import { refusalOf } from './refusal.ts';
import { followBatch, startBatch, uploadFile, watchedBehaviour } from './run-batch.ts';
import type { ResultLine } from './summary.ts';
import { costReport, summaryOf } from './summary.ts';

/** A step failed, and why has been shown. */
class StepFailed extends Error {}

interface Demo {
  api: OperatorClient;
  key: string;
  batch: BatchView;
  payouts: readonly PayoutView[];
  /** What is told when all is done. */
  summary: string;
}

/**
 * `npm run demo [file] [-- --keep]`: a payout file from upload to results, on a local AWS of its own. True when all is accounted
 * for, false when the file was refused.
 *
 * @param keep leaves the local AWS up, as `npm run local` does
 */
const demo = async (file: string, keep: boolean): Promise<boolean> => {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new PlainError(`There is no file ${file}.`);
  const port = localPort();
  const setup = new LocalAwsSetup({
    port,
    folder: path.join(localFolder, `demo-aws-${port}`),
    waitScale: 1,
    settings: { orchestrator: JSON.stringify(watchedBehaviour) },
  });
  const state: Partial<Demo> = {};
  const began = Date.now();
  let started = began;
  const tasks = new Listr(
    [
      { title: 'Install the local AWS', task: (_, task) => setup.install(shown(task)) },
      { title: 'Start it, with IAM enforced and TLS on', task: () => setup.start() },
      { title: 'Bootstrap the CDK', task: (_, task) => setup.bootstrap(shown(task)) },
      { title: 'Deploy both stacks', task: (_, task) => setup.deploy(shown(task)) },
      {
        title: `Upload ${path.relative(process.cwd(), file)}`,
        task: async () => {
          const { ApiUrl, FilesBucket } = setup.deployed.outputs.PayoutOrchestrator;
          const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
          state.api = new OperatorClient({ apiUrl: ApiUrl, region: setup.deployed.aws.region, credentials });
          state.key = await uploadFile(FilesBucket, file);
        },
      },
      {
        title: 'Pay it',
        task: async (_, task) => {
          const api = had(state.api);
          started = Date.now();
          const batchId = await startBatch(api, had(state.key), randomUUID());
          task.title = `Pay it: batch ${batchId}`;
          state.batch = await followBatch(api, batchId, (line) => (task.output = line));
          task.title = `Pay it: batch ${batchId} is ${state.batch.status.replaceAll('_', ' ')}`;
        },
      },
      {
        title: 'Fetch results and proofs',
        task: async (_, task) => {
          const { FilesBucket, StateMachineArn } = setup.deployed.outputs.PayoutOrchestrator;
          const [api, batch] = [had(state.api), had(state.batch)];
          const seconds = Math.round((Date.now() - started) / 1000);
          const requests = api.requests;
          state.payouts = await allPayouts(api, batch.batchId);
          const folder = path.join(localFolder, 'demo', batch.batchId);
          await downloadResults(api, FilesBucket, batch, state.payouts, folder);
          if (isRefused(batch)) {
            task.title = 'Fetch its errors';
            state.summary = refusalOf(batch, path.relative(process.cwd(), folder));
            return;
          }
          const costs = costReport(batch, costOf(await usageOf(batch, StateMachineArn, FilesBucket, requests)));
          await writeFile(path.join(folder, 'aws-cost.txt'), costs.whole);
          const lines: ResultLine[] = parse(await readFile(path.join(folder, 'results.csv')), {
            bom: true,
            columns: true,
          });
          const stored = path.relative(process.cwd(), folder);
          state.summary = `${summaryOf(batch, lines, seconds, stored)}\n${costs.line} What of: ${stored}/aws-cost.txt`;
        },
      },
    ],
    {
      rendererOptions: { showErrorMessage: false },
      fallbackRenderer: 'simple',
      registerSignalListeners: false,
    },
  );
  try {
    await tasks.run().catch((error: unknown) => {
      // Where lines stay, the failed step's line has said it.
      if (!process.stdout.isTTY && error instanceof PlainError) throw new StepFailed();
      throw error;
    });
    if (isRefused(had(state.batch))) {
      console.error(`\n${had(state.summary)}`);
      return false;
    }
    const problems = await outcomeProblems(file, had(state.batch), had(state.payouts));
    console.log(`\n${had(state.summary)}`);
    if (problems.length === 0) console.log('\nEvery row of the file is accounted for.');
    else console.error(`\nNot every row of the file is accounted for:\n${problems.join('\n')}`);
    return problems.length === 0;
  } finally {
    if (keep && state.summary !== undefined) await leaveUp(setup);
    else await setup.stop();
  }
};

const leaveUp = async (setup: LocalAwsSetup): Promise<void> => {
  const consoleUrl = await startConsole(setup.deployed);
  await rememberKeptUp({ ...setup.deployed, consoleUrl });
  setup.leaveRunning();
  console.log(`\nThe console, in a browser: ${consoleUrl}`);
  console.log('The local AWS stays up. "npm run local" tells how to use it, and "npm run local -- --stop" ends it.');
};

const isRefused = ({ status }: BatchView): boolean => status === 'validation_failed';

const readArguments = (): { readonly keep: boolean; readonly file: string } => {
  const usage = 'Usage: npm run demo [file], or npm run demo -- --keep [file]';
  try {
    const { values, positionals } = parseArgs({ options: { keep: { type: 'boolean' } }, allowPositionals: true });
    const [file = exampleFile, ...others] = positionals;
    if (others.length > 0) throw new PlainError(`The demo pays one file. ${usage}`);
    return { keep: values.keep === true, file };
  } catch (error) {
    throw error instanceof PlainError ? error : new PlainError(usage);
  }
};

/** Shows a program's lines below its step. Where lines stay, as in a log, only those that tell of an end. */
const shown =
  (task: { output: string | undefined }): ((line: string) => void) =>
  (line) => {
    if (process.stdout.isTTY || line.includes('✅')) task.output = line.trim();
  };

const had = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('A step of the demo was left out');
  return value;
};

// A spinner hides the cursor; an end in the middle of it, by Ctrl-C too, would leave it hidden.
process.once('exit', () => process.stdout.isTTY && process.stdout.write('\u001B[?25h'));

try {
  const { keep, file } = readArguments();
  process.exitCode = (await demo(path.resolve(file), keep)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof PlainError || error instanceof StepFailed)) throw error;
  if (error instanceof PlainError) console.error(error.message);
  process.exitCode = 1;
}
