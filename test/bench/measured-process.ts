import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

/**
 * Runs a script in a Node process of its own, so its memory and modules are separate, and reads the JSON in its last line. The
 * script dies with this process.
 */
export const measuredProcess = <Report>(
  script: URL,
  parameters: readonly string[],
  report: z.ZodType<Report>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Report> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(script), ...parameters], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', end);
      if (code !== 0) return reject(new Error(`${script.href} ended with ${code}`));
      return resolve(report.parse(JSON.parse(output.trim().split('\n').at(-1) ?? '')));
    });
  });
