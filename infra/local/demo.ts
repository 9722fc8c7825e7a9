import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { Listr } from 'listr2';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../functions/api/schemas/payout.ts';
import { LocalAwsSetup } from './aws/bring-up.ts';
import { sandboxOnly } from './aws/deploy.ts';
import { rememberKept } from './aws/deployed-aws.ts';
import { localPort } from './aws/local-port.ts';
import { allPayouts, outcomeProblems } from './batch/check-outcome.ts';
import { downloadResults } from './batch/download-results.ts';
import { refusalOf } from './batch/refusal.ts';
import { followBatch, startBatch, uploadFile, watchedBehavior } from './batch/run-batch.ts';
import type { ResultLine } from './batch/summary.ts';
import { costReport, summaryOf } from './batch/summary.ts';
import { startConsole } from './console/start-console.ts';
import { usageOf } from './costs/batch-usage.ts';
import { costOf } from './costs/price-list.ts';
import { OperatorClient } from './operator-client.ts';
import { exampleFile, localFolder } from './paths.ts';
import { PlainError } from './plain-error.ts';
import { runCommand } from './run-command.ts';

interface Demo {
  api: OperatorClient;
  key: string;
  batch: BatchView;
  payouts: readonly PayoutView[];
  /** Printed at the end. */
  summary: string;
}

/**
 * `npm run demo [file] [-- --keep]`: takes a payout file from upload to results, on its own local AWS. Returns whether every row is
 * accounted for: false also when the file was refused, or when a step failed and its line has already shown why.
 *
 * @param keep leaves the local AWS running, like `npm run local`. It stops all the same if a step failed
 * @throws when a step failed otherwise, such as on a terminal
 */
const demo = async (file: string, keep: boolean): Promise<boolean> => {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new PlainError(`There is no file ${file}.`);
  const port = localPort();
  const setup = new LocalAwsSetup({
    port,
    folder: path.join(localFolder, `demo-aws-${port}`),
    waitScale: 1,
    settings: { ...sandboxOnly, orchestrator: JSON.stringify(watchedBehavior) },
  });
  const state: Partial<Demo> = {};
  let started = Date.now();
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
          state.summary = `${summaryOf(batch, lines, seconds, stored)}\n${costs.line} Details: ${stored}/aws-cost.txt`;
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
    try {
      await tasks.run();
    } catch (error) {
      // Without a terminal the lines stay, so the failed step's line has already shown the error.
      if (!process.stdout.isTTY && error instanceof PlainError) return false;
      throw error;
    }
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
    if (keep && state.summary !== undefined) await leaveRunning(setup);
    else await setup.stop();
  }
};

const leaveRunning = async (setup: LocalAwsSetup): Promise<void> => {
  const consoleUrl = await startConsole(setup.deployed);
  await rememberKept({ ...setup.deployed, consoleUrl });
  setup.leaveRunning();
  console.log(`\nThe console, in a browser: ${consoleUrl}`);
  console.log(
    'The local AWS keeps running. "npm run local" shows how to use it, and "npm run local -- --stop" ends it.',
  );
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

/** Shows a program's lines below its step. In a log, where lines stay, it shows only those that report an end. */
const shown =
  (task: { output: string | undefined }): ((line: string) => void) =>
  (line) => {
    if (process.stdout.isTTY || line.includes('✅')) task.output = line.trim();
  };

const had = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('An earlier step of the demo did not run');
  return value;
};

// A spinner hides the cursor. Without this it would stay hidden after Ctrl-C.
process.once('exit', () => process.stdout.isTTY && process.stdout.write('\u001B[?25h'));

await runCommand(() => {
  const { keep, file } = readArguments();
  return demo(path.resolve(file), keep);
});
