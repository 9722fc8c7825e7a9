import path from 'node:path';
import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';
import { localPort } from '../../../infra/local/aws/local-port.ts';
import { localFolder } from '../../../infra/local/paths.ts';
import type { ProxiedAws } from '../../support/local-aws/with-proxied-aws.ts';
import { withProxiedAws } from '../../support/local-aws/with-proxied-aws.ts';
import { freePort } from '../../support/servers/free-port.ts';
import type { Exchange } from './aws-meter.ts';
import { startMeter } from './aws-meter.ts';

/** A local AWS with both stacks, whose functions reach everything through a meter. */
export interface MeteredAws extends ProxiedAws {
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

/** Runs the work on a local AWS of its own, with real waits, and stops everything afterward. */
export const withMeteredAws = async <Result>(
  say: (line: string) => void,
  work: (aws: MeteredAws) => Promise<Result>,
): Promise<Result> => {
  let observer: (exchange: Exchange) => void = () => {};
  const setup = {
    port: process.env['LOCAL_AWS_PORT'] === undefined ? await freePort() : localPort(),
    folder: path.join(localFolder, 'bench-aws'),
    settings,
    startProxy: (aws: LocalAwsAddress, port: number) => startMeter(aws, port, (exchange) => observer(exchange)),
  };
  return withProxiedAws(setup, say, (aws) => work({ ...aws, observe: (next) => (observer = next) }));
};
