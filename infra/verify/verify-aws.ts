import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import Big from 'big.js';
import { LocalAwsSetup } from '../local/aws/bring-up.ts';
import { localPort } from '../local/aws/local-port.ts';
import { hoursOfMonth } from '../local/costs/price-list.ts';
import { exampleFile, localFolder } from '../local/paths.ts';
import { messageOf, PlainError } from '../local/plain-error.ts';
import { runCommand } from '../local/run-command.ts';
import { accountOf, verifiedLocalAws } from './account.ts';
import { byHand, destroyStage } from './destroy-stage.ts';
import { prepare } from './prepare.ts';
import { newStage, throwawayStage } from './throwaway-stage.ts';
import type { VerifiedAws } from './verified-aws.ts';
import type { Findings } from './verify-stage.ts';
import { verifyStage } from './verify-stage.ts';

const usage = `Usage: npm run verify:aws [-- options]
  --yes             does not ask before it deploys
  --minutes <n>     stops and destroys after n minutes (default 60)
  --local           uses its own local AWS instead of an account
  --destroy <stage> only destroys what an earlier run left behind`;

/** For everything from the deployment to the last check. Destroying takes extra time. */
const defaultMinutes = '60';

const readArguments = () => {
  const options = {
    yes: { type: 'boolean', default: false },
    minutes: { type: 'string', default: defaultMinutes },
    local: { type: 'boolean', default: false },
    destroy: { type: 'string' },
  } as const;
  try {
    const { values } = parseArgs({ options });
    const minutes = /^\d{1,3}$/.test(values.minutes) ? Number(values.minutes) : 0;
    if (minutes === 0) throw new Error(`--minutes is ${values.minutes}. It must be a number from 1 to 999.`);
    if (values.local && values.destroy !== undefined)
      throw new Error('A local AWS starts empty, so there is nothing to destroy.');
    return { ...values, minutes };
  } catch (error) {
    throw new PlainError(`${messageOf(error)}\n${usage}`);
  }
};

const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${line.trim()}`);

/** Shows only those of the CDK's hundreds of lines that report an end. */
const onCdkLine = (line: string): void => {
  if (/✅|❌|_FAILED|ROLLBACK/.test(line)) say(line);
};

/** Asks a person at the terminal. */
const confirm = async (question: string): Promise<void> => {
  if (!process.stdin.isTTY) throw new PlainError('There is no terminal to ask at. If the above is right, add --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  if (answer.trim() !== 'yes') throw new PlainError('Nothing was done.');
};

/** Aborts on the first Ctrl-C, and when the time is over. A second Ctrl-C ends this program and leaves the stage behind. */
const untilInterrupted = (minutes: number, stage: string): AbortSignal => {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (interrupted.signal.aborted) {
        console.error(`\nThe stage was not destroyed, so it still costs money. Continue with:\n${byHand(stage)}`);
        process.exit(130);
      }
      interrupted.abort(new PlainError('It was interrupted.'));
    });
  }
  const over = new PlainError(`It took more than ${minutes} minutes.`);
  setTimeout(() => interrupted.abort(over), minutes * 60_000).unref();
  return interrupted.signal;
};

const verify = async (
  aws: VerifiedAws,
  options: { readonly yes: boolean; readonly minutes: number },
): Promise<boolean> => {
  const { stage } = aws.target.settings;
  const prepared = await prepare(aws);
  console.log(
    `The stage ${stage} costs ${prepared.monthlyUsd} USD a month, used or not. A run usually takes less than an hour.`,
  );
  if (!options.yes && !aws.isLocal)
    await confirm(`Deploy the stage ${stage} there, pay a file from its sandbox, and destroy it?`);
  const began = Date.now();
  const signal = untilInterrupted(options.minutes, stage);
  const findings = await verifyStage({ aws, prepared, file: exampleFile, signal, say, onCdkLine });
  const hours = (Date.now() - began) / 3_600_000;
  const usd = new Big(prepared.monthlyUsd).times(String(hours)).div(String(hoursOfMonth)).toFixed(4);
  const monthly = `Monthly prices: ${usd} USD for the ${(hours * 60).toFixed(0)} minutes of this run.`;
  report({ ...findings, costs: [...findings.costs, monthly] });
  return findings.problems.length === 0;
};

const report = ({ problems, holds, leftOut, costs, stays }: Findings): void => {
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `- ${line}`).join('\n')}`);
  };
  section('Holds', holds);
  section('Left out, because only an account can answer it', leftOut);
  section('Cost', costs);
  section('Stays in the account', stays);
  section('Does not hold', problems);
};

const onLocalAws = async (minutes: number): Promise<boolean> => {
  const port = localPort();
  const setup = new LocalAwsSetup({ port, folder: path.join(localFolder, `verify-aws-${port}`), waitScale: 1 });
  try {
    await setup.install(say);
    say('Starting the local AWS');
    await setup.start();
    await setup.bootstrap(() => {});
    return await verify(verifiedLocalAws(setup.address, newStage(Math.random)), { yes: true, minutes });
  } finally {
    await setup.stop();
  }
};

const onAccount = async ({ yes, minutes, destroy }: ReturnType<typeof readArguments>): Promise<boolean> => {
  const stage = destroy === undefined ? newStage(Math.random) : throwawayStage(destroy);
  const { aws, caller } = await accountOf(process.env, stage);
  console.log(`Account ${aws.target.account}, region ${aws.target.region}, as ${caller}`);
  if (destroy === undefined) return await verify(aws, { yes, minutes });
  if (!yes) await confirm(`Destroy the stage ${stage} there?`);
  const { left, stays } = await destroyStage(aws, { say, onCdkLine });
  const holds = left.length === 0 ? ['Nothing is left of the stage'] : [];
  report({ problems: left, holds, leftOut: [], costs: [], stays });
  return left.length === 0;
};

await runCommand(() => {
  const options = readArguments();
  return options.local ? onLocalAws(options.minutes) : onAccount(options);
});
