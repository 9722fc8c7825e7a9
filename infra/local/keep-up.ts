import path from 'node:path';
import { bringUp } from './bring-up.ts';
import { startConsole } from './console/start-console.ts';
import { forgetKeptUp, readKeptAws, readKeptUp, rememberKeptUp } from './deployed-aws.ts';
import { isRunning, stopEmulator, useLocalAws } from './emulator.ts';
import { localPort } from './local-port.ts';
import { localFolder } from './places.ts';
import { PlainError } from './plain-error.ts';
import { byHandLines, exportLines } from './usage.ts';

/** `npm run local`: a local AWS with both stacks that stays up until `npm run local -- --stop`. */
async function keepUp(): Promise<void> {
  const kept = await readKeptUp();
  if (kept !== undefined && (await isRunning(kept.aws))) {
    useLocalAws(kept.aws);
    console.log('The local AWS is up already. To use it, paste this into a terminal:\n');
    console.log(await exportLines(kept));
    if (kept.consoleUrl !== undefined) console.log(`\nIts console: ${kept.consoleUrl}`);
    return;
  }
  const port = localPort();
  const setup = await bringUp({ port, folder: path.join(localFolder, `kept-${port}`), waitScale: 1 }, (line) =>
    console.log(line),
  );
  const consoleUrl = await startConsole(setup.deployed);
  await rememberKeptUp({ ...setup.deployed, consoleUrl });
  setup.leaveRunning();
  console.log('\nThe local AWS is up. To use it, paste this into a terminal:\n');
  console.log(await exportLines(setup.deployed));
  console.log('\nThen, by hand:\n');
  console.log(byHandLines());
  console.log('\nThe payment service by itself, with curl: functions/payment-service/README.md, "By hand".');
  console.log(`\nThe console, in a browser: ${consoleUrl}`);
  console.log('\nTo end it: npm run local -- --stop');
}

async function stop(): Promise<void> {
  const aws = await readKeptAws();
  if (aws === undefined || !(await isRunning(aws))) {
    await forgetKeptUp();
    console.log('No local AWS is up.');
    return;
  }
  await stopEmulator(aws);
  await forgetKeptUp();
  console.log('The local AWS has ended.');
}

const [option] = process.argv.slice(2);
try {
  if (option === undefined) await keepUp();
  else if (option === '--stop') await stop();
  else throw new PlainError(`"${option}" is not known. Usage: npm run local, or npm run local -- --stop`);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
