import path from 'node:path';
import { parseArgs } from 'node:util';
import { bringUp } from './aws/bring-up.ts';
import { localStage, paysFromSandbox } from './aws/deploy.ts';
import { forgetKept, readKept, readKeptAddress, rememberKept } from './aws/deployed-aws.ts';
import { isRunning, stopKept, useLocalAws } from './aws/emulator.ts';
import { localPort } from './aws/local-port.ts';
import { contextOf, localSettingsOf } from './aws/local-settings.ts';
import { createSecrets, providerSecrets } from './aws/provider-secrets.ts';
import { byHandLines, exportLines } from './aws/terminal-lines.ts';
import { startConsole } from './console/start-console.ts';
import { localFolder } from './paths.ts';
import { messageOf, PlainError } from './plain-error.ts';
import { runCommand } from './run-command.ts';

/** `npm run local`: deploys both stacks to a local AWS, which runs until `npm run local -- --stop`. */
const keepRunning = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  if ((settings['stage'] ?? localStage) !== localStage)
    throw new PlainError(`Leave -c stage=… out: this local AWS always has the stage ${localStage}.`);
  const kept = await readKept();
  if (kept !== undefined && (await isRunning(kept.aws))) {
    useLocalAws(kept.aws);
    console.log('The local AWS is already running. To use it, paste this into a terminal:\n');
    console.log(await exportLines(kept));
    if (kept.consoleUrl !== undefined) console.log(`\nIts console: ${kept.consoleUrl}`);
    return;
  }
  const secrets = providerSecrets(localSettingsOf(settings), process.env);
  const port = localPort();
  const folder = path.join(localFolder, `kept-${port}`);
  const setup = await bringUp({ port, folder, waitScale: 1, settings }, (line) => console.log(line));
  await createSecrets(secrets);
  const consoleUrl = await startConsole(setup.deployed);
  await rememberKept({ ...setup.deployed, consoleUrl });
  setup.leaveRunning();
  console.log('\nThe local AWS is running. To use it, paste this into a terminal:\n');
  console.log(await exportLines(setup.deployed));
  console.log(`\nThen, by hand:\n\n${byHandLines}`);
  if (paysFromSandbox(setup.deployed.outputs))
    console.log('\nTo call the payment service itself: functions/payment-service/README.md, "By hand".');
  else console.log('\nRegister $API_URL/webhooks/<token> with the provider: see infra/DEPLOYING.md.');
  console.log(`\nThe console, in a browser: ${consoleUrl}`);
  console.log('\nTo end it: npm run local -- --stop');
};

const readOptions = <Options>(read: () => Options): Options => {
  try {
    return read();
  } catch (error) {
    throw new PlainError(
      `${messageOf(error)}\nUsage: npm run local, npm run local -- -c key=value, or npm run local -- --stop`,
    );
  }
};

const stop = async (): Promise<void> => {
  const outcome = await stopKept(await readKeptAddress());
  await forgetKept();
  console.log(outcome);
};

await runCommand(async () => {
  const { values } = readOptions(() =>
    parseArgs({ options: { stop: { type: 'boolean' }, context: { type: 'string', short: 'c', multiple: true } } }),
  );
  if (values.stop === true) await stop();
  else await keepRunning(contextOf(values.context ?? []));
});
