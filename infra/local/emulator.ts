import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import * as z from 'zod';
import { makeCertificate } from './certificate.ts';
import { binaries } from './places.ts';
import { PlainError } from './plain-error.ts';
import type { PythonProgram } from './python-packages.ts';

/** A local AWS and how to talk to it. Serializable: tests and `npm run local` hand it on as JSON. */
export const localAwsAddress = z.strictObject({
  endpoint: z.string(),
  region: z.string(),
  /** The certificate of its TLS, made at its first start. */
  caFile: z.string(),
  /** Its process id, and its process group's: its Lambda workers are in the group. */
  pid: z.number(),
  folder: z.string(),
});

export type LocalAwsAddress = z.infer<typeof localAwsAddress>;

export interface EmulatorStart {
  readonly program: PythonProgram;
  readonly port: number;
  /** Its certificate, log and scratch files. Emptied first. */
  readonly folder: string;
  /** What Wait states and retry intervals are multiplied by: 1 waits as AWS does. */
  readonly waitScale: number;
  /** Where its functions are told that AWS is, such as a meter that stands before it; left out, at its own endpoint. */
  readonly functionsEndpoint?: string;
  /** What its functions find in their environment besides. */
  readonly functionsEnvironment?: Readonly<Record<string, string>>;
}

const region = 'us-east-1';

/** By its number: a bucket's name before `localhost` does not resolve everywhere, and before a number none is put. */
export const localAwsHost = 'https://127.0.0.1';

/** Ctrl-C, a plain kill, and a terminal that was closed. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A port that nothing listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(address)));
    });
  });

/** Nobody listens there: on neither address of localhost, since programs try both. */
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

/** What a program needs in its environment to talk to the local AWS: the CDK, the AWS CLI, curl and the SDK read these. */
export const environmentFor = (aws: Pick<LocalAwsAddress, 'endpoint' | 'caFile'>): Record<string, string> => ({
  AWS_ENDPOINT_URL: aws.endpoint,
  AWS_CA_BUNDLE: aws.caFile,
  NODE_EXTRA_CA_CERTS: aws.caFile,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
});

/** Makes this process talk to the local AWS: its credentials and endpoint, and trust in its certificate. */
export const useLocalAws = (aws: LocalAwsAddress): void => {
  Object.assign(process.env, environmentFor(aws));
  // A profile or session of the user's own would be mixed with these keys and could name a real account.
  delete process.env['AWS_PROFILE'];
  delete process.env['AWS_SESSION_TOKEN'];
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(aws.caFile, 'utf8')]);
};

/** Whether the process is there at all; a zombie's group is not. */
const alive = (pid: number): boolean => {
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
    // It has ended already, which is what was wanted.
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

/** Whether this local AWS is the one that answers at its address. */
export const isRunning = async (aws: LocalAwsAddress): Promise<boolean> =>
  alive(aws.pid) && (await healthy(aws.endpoint, aws.caFile));

const tailOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).trim().split('\n').slice(-15).join('\n');

/**
 * Starts the local AWS, as strictly as AWS: IAM policies are enforced and TLS is on. Answers once it is healthy.
 *
 * @throws PlainError when the port is in use or it does not come up within a minute
 */
export const startEmulator = async (start: EmulatorStart): Promise<LocalAwsAddress> => {
  if (!(await isFree(start.port))) {
    throw new PlainError(
      `Port ${start.port} is in use. If a local AWS of yours is up, "npm run local -- --stop" ends it; else set LOCAL_AWS_PORT to another port.`,
    );
  }
  // What one that was cut short left behind: its functions' code, mostly.
  await rm(start.folder, { recursive: true, force: true });
  await mkdir(start.folder, { recursive: true });
  // Its Lambda workers are CommonJS scripts in this folder; below this project they would be taken for ES modules.
  await writeFile(path.join(start.folder, 'package.json'), '{ "type": "commonjs" }\n');
  const endpoint = `${localAwsHost}:${start.port}`;
  const { certFile: caFile, keyFile } = await makeCertificate(start.folder);
  const logFile = path.join(start.folder, 'emulator.log');
  const log = openSync(logFile, 'w');
  const child = spawn(start.program.python, ['-m', 'ministack'], {
    cwd: start.folder,
    // A group of its own, so that its Lambda workers end with it, and Ctrl-C reaches only this process first.
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

/** Stops a local AWS and its Lambda workers: asks first, and insists after five seconds. */
export const stopEmulator = async (aws: Pick<LocalAwsAddress, 'pid'>): Promise<void> => {
  signalGroup(aws.pid, 'SIGTERM');
  const deadline = Date.now() + 5000;
  while (alive(aws.pid) && Date.now() < deadline) await wait(100);
  // Workers that outlived their parent are still in its group.
  signalGroup(aws.pid, 'SIGKILL');
};

/** Ends the emulator's group when this process ends, however it ends. Answers how to call that off. */
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
