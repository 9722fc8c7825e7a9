import path from 'node:path';
import { LocalAwsSetup } from '../../../infra/local/aws/bring-up.ts';
import type { DeployedAws } from '../../../infra/local/aws/deployed-aws.ts';
import { freePort } from '../../../infra/local/aws/emulator.ts';
import { localPort } from '../../../infra/local/aws/local-port.ts';
import { localFolder } from '../../../infra/local/places.ts';
import type { AwsMeter, Exchange } from './aws-meter.ts';
import { startMeter } from './aws-meter.ts';

/** A local AWS with both stacks, whose functions can reach nothing but through a meter. */
export interface MeteredAws extends DeployedAws {
  /** Where functions find AWS. */
  readonly meterUrl: string;
  /** Lets `observer` see every request from now on, instead of the one before it. */
  readonly observe: (observer: (exchange: Exchange) => void) => void;
}

/** How often a payout of the obvious design may be polled for its counts to be comparable. */
export const pollsAtMost = 3;

/**
 * Payouts of one POST settle 8, 12 and 16 seconds after it in turn, and those to wallets 8 seconds later. Polls of the
 * obvious design come about 5, 15 and 35 seconds after it, so that a payout needs two or three of them.
 */
const settings = {
  submitsAtOnce: '5',
  paymentService: JSON.stringify({ settlement: { minSeconds: 8, maxSeconds: 16, waves: 3 } }),
} as const;

/** Runs the work on a local AWS of its own, waiting as AWS does, and stops everything afterwards. */
export const withMeteredAws = async <Result>(
  say: (line: string) => void,
  work: (aws: MeteredAws) => Promise<Result>,
): Promise<Result> => {
  const meterPort = await freePort();
  // An address, since names of buckets below `localhost` do not resolve everywhere.
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
