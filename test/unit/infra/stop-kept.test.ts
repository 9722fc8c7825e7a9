import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { emulatorScript, isAlive, stopKept } from '../../../infra/local/aws/emulator.ts';

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

/** A process in its own group that never answers, with this at the end of its command line. */
const silentProcess = async (lastArgument: string) => {
  const script = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script, '--', lastArgument], { detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error('It did not start');
  started.push(pid);
  await once(child.stdout, 'data');
  return { pid, ended: once(child, 'exit') };
};

const keptAs = (pid: number) => ({ endpoint: 'https://127.0.0.1:1', region: 'r', caFile: 'none', pid, folder: 'f' });

describe('stopping the local AWS that keeps running', () => {
  it('ends one that does not answer', async () => {
    const { pid, ended } = await silentProcess(emulatorScript);
    expect(await stopKept(keptAs(pid))).toBe('The local AWS has stopped.');
    await ended;
    expect(isAlive(pid)).toBe(false);
  });

  it('spares another program that has its process id by now, and says what to do', async () => {
    const { pid } = await silentProcess('another.py');
    expect(await stopKept(keptAs(pid))).toMatch(/another program now.* If that port is in use, end by hand/);
    expect(isAlive(pid)).toBe(true);
  });

  it('does nothing when it has ended, or was never started', async () => {
    const { pid, ended } = await silentProcess(emulatorScript);
    process.kill(pid, 'SIGKILL');
    await ended;
    expect(await stopKept(keptAs(pid))).toBe('No local AWS is running.');
    expect(await stopKept(undefined)).toBe('No local AWS is running.');
  });
});
