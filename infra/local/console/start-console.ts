import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { DeployedAws } from '../aws/deployed-aws.ts';
import { PlainError } from '../plain-error.ts';

const ready = z.object({ url: z.string() });

/**
 * Serves the console of a local AWS on this machine, in a separate process. That process outlives this one, and ends when the
 * local AWS does. Resolves to the address.
 *
 * @throws PlainError when the console is not up within ten seconds
 */
export const startConsole = (deployed: DeployedAws): Promise<string> => {
  const logFile = path.join(deployed.aws.folder, 'console.log');
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(new URL('serve-console.ts', import.meta.url)), [], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    const failed = (): void => {
      child.kill();
      reject(new PlainError(`The console did not start. Its log: ${logFile}`));
    };
    const deadline = setTimeout(failed, 10_000);
    child.once('exit', failed);
    child.once('error', failed);
    child.once('message', (message) => {
      clearTimeout(deadline);
      child.off('exit', failed);
      child.disconnect();
      child.unref();
      resolve(ready.parse(message).url);
    });
    child.send(deployed);
  });
};
