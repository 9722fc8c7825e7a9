import { spawn } from 'node:child_process';
import { PlainError } from './plain-error.ts';

export interface ProgramRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly folder?: string;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
  /** Hears each line the program prints, on either stream. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program to its end. Answers its exit code (undefined when it could not be started) and all it printed. */
export const tryProgram = (
  program: string,
  parameters: readonly string[],
  run: ProgramRun = {},
): Promise<{ readonly code: number | undefined; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(program, parameters, {
      env: { ...process.env, ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(run.folder === undefined ? {} : { cwd: run.folder }),
      ...(run.signal === undefined ? {} : { signal: run.signal }),
    });
    // A program that is still running has nobody left to run for.
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    let output = '';
    const hear = (text: string): void => {
      output += text;
      for (const line of text.split('\n')) if (line.trim() !== '') run.onLine?.(line);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', (error) => {
      // One that was ended by its signal closes a little later: until then it may still act.
      if (child.pid === undefined) resolve({ code: undefined, output: `${output}${error.message}` });
    });
    child.once('close', (code) => resolve({ code: code ?? undefined, output }));
  });

/** Runs a program that has to succeed. Throws a PlainError that says `failure` and how the program's output ended. */
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
