import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { PlainError } from './plain-error.ts';

export interface ProgramRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly folder?: string;
  /** Aborting it ends the program. */
  readonly signal?: AbortSignal | undefined;
  /** Gets each line that the program prints, on either stream. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Runs a program to its end. Returns all it printed and its exit code, which is undefined when the program could not start. */
export const tryProgram = (
  program: string,
  parameters: readonly string[],
  run: ProgramRun = {},
): Promise<{ readonly code: number | undefined; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(program, parameters, {
      env: { ...process.env, ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: run.folder,
      signal: run.signal,
    });
    // Without this process nobody needs the program.
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    let output = '';
    const readLines = (stream: Readable): void => {
      const show = (line: string): void => {
        if (line.trim() !== '') run.onLine?.(line);
      };
      // A stream may be cut anywhere. Its last line is shown at its end.
      let begun = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const lines = `${begun}${text}`.split('\n');
        begun = lines.pop() ?? '';
        for (const line of lines) show(line);
      });
      stream.once('end', () => show(begun));
    };
    readLines(child.stdout);
    readLines(child.stderr);
    child.once('error', (error) => {
      // After an abort the program closes a little later, and it may act until then.
      if (child.pid === undefined) resolve({ code: undefined, output: `${output}${error.message}` });
    });
    child.once('close', (code) => resolve({ code: code ?? undefined, output }));
  });

/**
 * Runs a program and returns what it printed.
 *
 * @throws PlainError with `failure` and the end of the output when the program fails
 */
export const runProgram = async (
  program: string,
  parameters: readonly string[],
  failure: string,
  run: ProgramRun = {},
): Promise<string> => {
  const { code, output } = await tryProgram(program, parameters, run);
  if (code === 0) return output;
  throw new PlainError(`${failure}\n${output.trim().split('\n').slice(-25).join('\n')}`);
};
