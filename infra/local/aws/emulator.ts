import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { binaries } from '../paths.ts';
import { PlainError } from '../plain-error.ts';
import type { PythonProgram } from '../python-packages.ts';
import { tryProgram } from '../run-program.ts';
import { makeCertificate } from './certificate.ts';

/** A running local AWS and how to reach it. Tests and `npm run local` pass it on as JSON. */
export const localAwsAddress = z.strictObject({
  endpoint: z.string(),
  region: z.string(),
  /** Its TLS certificate, which its callers trust. */
  caFile: z.string(),
  /** Id of its process and of its process group, which includes its Lambda workers. */
  pid: z.number(),
  folder: z.string(),
});

export type LocalAwsAddress = z.infer<typeof localAwsAddress>;

export interface EmulatorStart {
  readonly program: PythonProgram;
  readonly port: number;
  /** For its certificate, log and scratch files. It is emptied first. */
  readonly folder: string;
  /** Factor for Wait states and retry intervals: 1 waits as long as AWS. */
  readonly waitScale: number;
  /** The AWS endpoint for its functions, such as a meter in front of it. By default its own endpoint. */
  readonly functionsEndpoint?: string;
  /** More environment variables for its functions. */
  readonly functionsEnvironment?: Readonly<Record<string, string>>;
}

const region = 'us-east-1';

/** The account number that the local AWS uses. */
export const account = '000000000000';

/**
 * An IP address, because the SDK puts a bucket's name before `localhost`, which does not resolve everywhere. It puts none before
 * an IP address.
 */
export const localAwsHost = 'https://127.0.0.1';

/** Ctrl-C, a plain kill, and a closed terminal. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The program. Its path is the end of the process's command line. */
export const emulatorScript = fileURLToPath(new URL('emulator.py', import.meta.url));

/** Whether nothing listens on the port, on either address of localhost: programs try both. */
const isFree = async (port: number): Promise<boolean> => {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => isListening(host, port)));
  return !answers.includes(true);
};

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const answer = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.setTimeout(2000, () => answer(false));
  });

/** Environment variables that make the CDK, the AWS CLI, curl and the SDK use the local AWS. */
export const environmentFor = (aws: Pick<LocalAwsAddress, 'endpoint' | 'caFile'>): Record<string, string> => ({
  AWS_ENDPOINT_URL: aws.endpoint,
  AWS_CA_BUNDLE: aws.caFile,
  NODE_EXTRA_CA_CERTS: aws.caFile,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
});

/** Makes this process use the local AWS: its credentials, its endpoint and its certificate. */
export const useLocalAws = (aws: LocalAwsAddress): void => {
  Object.assign(process.env, environmentFor(aws));
  // The user's own profile or session would mix with these keys, and could lead to a real account.
  delete process.env['AWS_PROFILE'];
  delete process.env['AWS_SESSION_TOKEN'];
  const trusted = new Set([...tls.getCACertificates('default'), readFileSync(aws.caFile, 'utf8')]);
  tls.setDefaultCACertificates([...trusted]);
};

/** Whether the process exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
};

const healthy = (endpoint: string, caFile: string): Promise<boolean> => {
  if (!existsSync(caFile)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const request = https.get(
      `${endpoint}/_ministack/health`,
      { ca: readFileSync(caFile), timeout: 2000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
};

/** Whether this local AWS is up and answers. */
export const isRunning = async (aws: LocalAwsAddress): Promise<boolean> =>
  isAlive(aws.pid) && (await healthy(aws.endpoint, aws.caFile));

/**
 * Whether the process is an emulator, even one that does not answer. After a restart of the machine its id may be another
 * program's.
 */
const isEmulator = async (pid: number): Promise<boolean> => {
  const { code, output } = await tryProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return code === 0 && output.trim().endsWith(emulatorScript);
};

const tailOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).trim().split('\n').slice(-15).join('\n');

/**
 * Starts the local AWS with IAM policies enforced and TLS on, as on AWS. Resolves once it is healthy.
 *
 * @throws PlainError when the port is in use, or the local AWS is not up within a minute
 */
export const startEmulator = async (start: EmulatorStart): Promise<LocalAwsAddress> => {
  if (!(await isFree(start.port))) {
    throw new PlainError(
      `Port ${start.port} is in use. If your own local AWS is up, end it with "npm run local -- --stop". Otherwise set LOCAL_AWS_PORT to another port.`,
    );
  }
  // An interrupted run leaves files behind, mostly the code of functions.
  await rm(start.folder, { recursive: true, force: true });
  await mkdir(start.folder, { recursive: true });
  // Its Lambda workers are CommonJS scripts in this folder. Below this project Node would take them for ES modules.
  await writeFile(path.join(start.folder, 'package.json'), '{ "type": "commonjs" }\n');
  const endpoint = `${localAwsHost}:${start.port}`;
  const { certFile: caFile, keyFile } = await makeCertificate(start.folder);
  const logFile = path.join(start.folder, 'emulator.log');
  const log = openSync(logFile, 'w');
  const child = spawn(start.program.python, [emulatorScript], {
    cwd: start.folder,
    // Its own process group: its Lambda workers end with it, and Ctrl-C reaches this process first.
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      ...start.program.environment,
      ...environmentFor({ endpoint: start.functionsEndpoint ?? endpoint, caFile }),
      AUTH: 'true',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: caFile,
      MINISTACK_SSL_KEY: keyFile,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(start.port),
      TMPDIR: start.folder,
      PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`,
      SFN_WAIT_SCALE: String(start.waitScale),
      LOG_LEVEL: process.env['LOCAL_AWS_LOG'] ?? 'WARNING',
      ...start.functionsEnvironment,
    },
  });
  closeSync(log);
  const pid = child.pid;
  if (pid === undefined) throw new PlainError(`The local AWS could not be started with ${start.program.python}.`);
  child.unref();
  const aws = { endpoint, region, caFile, pid, folder: start.folder };
  const forget = stopWithThisProcess(aws);
  const deadline = Date.now() + 60_000;
  while (!(await healthy(endpoint, caFile))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      forget();
      signalGroup(pid, 'SIGKILL');
      throw new PlainError(`The local AWS did not start. Its log (${logFile}) ends with:\n${await tailOf(logFile)}`);
    }
    await wait(200);
  }
  forget();
  return aws;
};

/** Stops a local AWS and its Lambda workers: with SIGTERM, and after five seconds with SIGKILL. */
export const stopEmulator = async (aws: Pick<LocalAwsAddress, 'pid'>): Promise<void> => {
  signalGroup(aws.pid, 'SIGTERM');
  const deadline = Date.now() + 5000;
  while (isAlive(aws.pid) && Date.now() < deadline) await wait(100);
  // Workers that outlive their parent are still in its group.
  signalGroup(aws.pid, 'SIGKILL');
};

/** Stops the local AWS that `npm run local` keeps, also when it hangs. Returns what happened, in a line. */
export const stopKept = async (kept: LocalAwsAddress | undefined): Promise<string> => {
  if (kept === undefined || !isAlive(kept.pid)) return 'No local AWS is running.';
  if (!(await isRunning(kept)) && !(await isEmulator(kept.pid)))
    return `No local AWS answers at ${kept.endpoint}. Its process ${kept.pid} is probably another program now. If that port is in use, end by hand what uses it.`;
  await stopEmulator(kept);
  return 'The local AWS has stopped.';
};

/** Ends the emulator's process group when this process ends, however it ends. Returns a function that cancels this. */
export const stopWithThisProcess = (aws: Pick<LocalAwsAddress, 'pid'>): (() => void) => {
  const onExit = (): void => signalGroup(aws.pid, 'SIGKILL');
  const onSignal = (signal: NodeJS.Signals): void => {
    signalGroup(aws.pid, 'SIGTERM');
    process.exit(128 + constants.signals[signal]);
  };
  process.once('exit', onExit);
  for (const signal of endingSignals) process.once(signal, onSignal);
  return () => {
    process.off('exit', onExit);
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
};
