import path from 'node:path';
import { parseArgs } from 'node:util';
import { bringUp } from './bring-up.ts';
import { startConsole } from './console/start-console.ts';
import { localStage, paysFromSandbox } from './deploy.ts';
import { forgetKeptUp, readKeptAws, readKeptUp, rememberKeptUp } from './deployed-aws.ts';
import { isRunning, stopEmulator, useLocalAws } from './emulator.ts';
import { localPort } from './local-port.ts';
import { localFolder } from './places.ts';
import { PlainError } from './plain-error.ts';
import { contextOf, localSettingsOf, makeSecrets, providerSecrets } from './provider-secrets.ts';
import { byHandLines, exportLines } from './usage.ts';

/** `npm run local`: a local AWS with the stacks that stays up until `npm run local -- --stop`. */
const keepUp = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  if ((settings['stage'] ?? localStage) !== localStage)
    throw new PlainError(`The local AWS that stays up has the stage ${localStage}: leave -c stage=… out.`);
  const kept = await readKeptUp();
  if (kept !== undefined && (await isRunning(kept.aws))) {
    useLocalAws(kept.aws);
    console.log('The local AWS is up already. To use it, paste this into a terminal:\n');
    console.log(await exportLines(kept));
    if (kept.consoleUrl !== undefined) console.log(`\nIts console: ${kept.consoleUrl}`);
    return;
  }
  const secrets = providerSecrets(localSettingsOf(settings), process.env);
  const port = localPort();
  const folder = path.join(localFolder, `kept-${port}`);
  const setup = await bringUp({ port, folder, waitScale: 1, settings }, (line) => console.log(line));
  await makeSecrets(secrets);
  const consoleUrl = await startConsole(setup.deployed);
  await rememberKeptUp({ ...setup.deployed, consoleUrl });
  setup.leaveRunning();
  console.log('\nThe local AWS is up. To use it, paste this into a terminal:\n');
  console.log(await exportLines(setup.deployed));
  console.log('\nThen, by hand:\n');
  console.log(byHandLines());
  if (paysFromSandbox(setup.deployed.outputs))
    console.log('\nThe payment service by itself, with curl: functions/payment-service/README.md, "By hand".');
  else console.log('\nThe provider sends its webhooks to $API_URL/webhooks/<token>: see infra/DEPLOYING.md.');
  console.log(`\nThe console, in a browser: ${consoleUrl}`);
  console.log('\nTo end it: npm run local -- --stop');
};

const readOptions = <Options>(read: () => Options): Options => {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new PlainError(`${why}\nUsage: npm run local, npm run local -- -c key=value, or npm run local -- --stop`);
  }
};

const stop = async (): Promise<void> => {
  const aws = await readKeptAws();
  if (aws === undefined || !(await isRunning(aws))) {
    await forgetKeptUp();
    console.log('No local AWS is up.');
    return;
  }
  await stopEmulator(aws);
  await forgetKeptUp();
  console.log('The local AWS has ended.');
};

try {
  const { values } = readOptions(() =>
    parseArgs({ options: { stop: { type: 'boolean' }, context: { type: 'string', short: 'c', multiple: true } } }),
  );
  if (values.stop === true) await stop();
  else await keepUp(contextOf(values.context ?? []));
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
