import path from 'node:path';
import { LocalAwsSetup } from '../../../infra/local/aws/bring-up.ts';
import type { DeployedAws } from '../../../infra/local/aws/deployed-aws.ts';
import { freePort } from '../../../infra/local/aws/emulator.ts';
import { localPort } from '../../../infra/local/aws/local-port.ts';
import { localFolder } from '../../../infra/local/paths.ts';
import type { AwsMeter, Exchange } from './aws-meter.ts';
import { startMeter } from './aws-meter.ts';

/** A local AWS with both stacks, whose functions reach everything through a meter. */
export interface MeteredAws extends DeployedAws {
  /** The address of AWS for functions. */
  readonly meterUrl: string;
  /** From now on passes every request to `observer`, which replaces the previous one. */
  readonly observe: (observer: (exchange: Exchange) => void) => void;
}

/** Maximum polls of a payout in the obvious design for comparable counts. */
export const pollsAtMost = 3;

/**
 * Payouts of one POST settle after 8, 12 and 16 seconds in turn, and those to wallets 8 seconds later. The obvious design polls
 * after about 5, 15 and 35 seconds, so a payout needs two or three polls.
 */
const settings = {
  submitsAtOnce: '5',
  paymentService: JSON.stringify({ settlement: { minSeconds: 8, maxSeconds: 16, waves: 3 } }),
} as const;

/** Runs the work on a local AWS of its own, with real waits, and stops everything afterwards. */
export const withMeteredAws = async <Result>(
  say: (line: string) => void,
  work: (aws: MeteredAws) => Promise<Result>,
): Promise<Result> => {
  const meterPort = await freePort();
  // An IP address, because names of buckets below `localhost` do not resolve everywhere.
  const meterUrl = `https://127.0.0.1:${meterPort}`;
  const setup = new LocalAwsSetup({
    port: process.env['LOCAL_AWS_PORT'] === undefined ? await freePort() : localPort(),
    folder: path.join(localFolder, 'bench-aws'),
    waitScale: 1,
    functionsEndpoint: meterUrl,
    settings: { ...settings, localEndpoint: meterUrl },
  });
  let observer: (exchange: Exchange) => void = () => {};
  let meter: AwsMeter | undefined;
  try {
    await setup.install(say);
    say('Starting a local AWS');
    await setup.start();
    meter = await startMeter(setup.address, meterPort, (exchange) => observer(exchange));
    await setup.bootstrap(() => {});
    say('Deploying both stacks to it');
    await setup.deploy(() => {});
    return await work({ ...setup.deployed, meterUrl, observe: (next) => (observer = next) });
  } finally {
    await setup.stop();
    await meter?.stop();
  }
};
