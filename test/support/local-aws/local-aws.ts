import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { bringUp } from '../../../infra/local/aws/bring-up.ts';
import type { DeployedAws } from '../../../infra/local/aws/deployed-aws.ts';
import { readKept } from '../../../infra/local/aws/deployed-aws.ts';
import { localFolder } from '../../../infra/local/paths.ts';
import { describeMisfits } from '../payment-service/answers/documented.ts';
import { recordedAnswers, recordingInto } from '../payment-service/answers/recorded-answers.ts';
import { freePort } from '../servers/free-port.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly localAws: DeployedAws;
    /** File of the answers that functions receive from the payment service. Empty when the local AWS was already running. */
    readonly recordedAnswers: string;
  }
}

/** Settings of a local AWS for tests. */
interface TestAws {
  /** Factor for Wait states and retry intervals. Times that a function measures itself are not scaled. */
  readonly waitScale: number;
  /** CDK context, see infra/settings.ts. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a local AWS on a port of its own for all test files of a project, and stops it after the last. */
export const provideLocalAws = async (
  project: TestProject,
  { waitScale, settings }: TestAws,
): Promise<() => Promise<void>> => {
  const port = await freePort();
  const folder = path.join(localFolder, `test-${port}`);
  const answers = path.join(folder, 'answers-to-functions.jsonl');
  const recording = recordingInto(answers);
  // One thread instead of four in which V8 compiles and collects garbage: a few cores run dozens of functions.
  const up = await bringUp(
    {
      port,
      folder,
      waitScale,
      functionsEnvironment: { ...recording, NODE_OPTIONS: `${recording.NODE_OPTIONS} --v8-pool-size=1` },
      settings,
    },
    (line) => console.error(line),
  );
  project.provide('localAws', up.deployed);
  project.provide('recordedAnswers', answers);
  return async () => {
    await up.stop();
    const misfits = recordedAnswers(answers).flatMap(describeMisfits);
    await rm(folder, { recursive: true, force: true });
    if (misfits.length > 0) {
      throw new Error(`Functions received answers that do not match the OpenAPI document:\n${misfits.join('\n')}`);
    }
  };
};

/**
 * Payouts on hold are left to a person immediately, and approvals expire in a minute, because both use real time. Payouts settle in
 * one to three real seconds. The default of five seconds between two sweeps would be 0.05 s here, and a batch would be swept ten
 * times before its payouts settle. Forty seconds are 0.4 s here. A proof that is missing is asked for again after forty real
 * seconds.
 */
const orchestrator = { onHoldFollowMinutes: 0, approvalHours: 1 / 60, pollFirstSeconds: 40 } as const;

/**
 * The payment service's own times are real. Webhooks are retried within seconds. Payouts settle in one to three seconds, in two
 * waves, because batches repeat their short waits until then.
 */
const paymentService = {
  settlement: { minSeconds: 1, maxSeconds: 2, waves: 2 },
  webhooks: { waitsSeconds: [1, 2, 2] },
} as const;

/**
 * The local AWS of most tests. Its waits are a hundred times shorter than on AWS. Set `LOCAL_AWS_STATE` to the file that
 * `npm run local` writes (.local/local-aws.json) to run the tests against that one, as deployed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = process.env['LOCAL_AWS_STATE'];
  if (state === undefined) {
    return provideLocalAws(project, {
      waitScale: 0.01,
      settings: {
        // So that a test can wait for the watch's schedule.
        watchMinutes: '1',
        orchestrator: JSON.stringify(orchestrator),
        paymentService: JSON.stringify(paymentService),
      },
    });
  }
  const kept = await readKept(state);
  if (kept === undefined) throw new Error(`LOCAL_AWS_STATE is ${state}, which cannot be read`);
  project.provide('localAws', kept);
  project.provide('recordedAnswers', '');
  return async () => {};
}
