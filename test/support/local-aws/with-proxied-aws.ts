import { LocalAwsSetup } from '../../../infra/local/aws/bring-up.ts';
import type { DeployedAws } from '../../../infra/local/aws/deployed-aws.ts';
import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';
import { freePort } from '../servers/free-port.ts';

interface ProxiedSetup {
  readonly port: number;
  readonly folder: string;
  /** CDK context, see infra/settings.ts. */
  readonly settings: Readonly<Record<string, string>>;
  readonly functionsEnvironment?: Readonly<Record<string, string>>;
  readonly startProxy: (aws: LocalAwsAddress, port: number) => Promise<{ readonly stop: () => Promise<void> }>;
}

/** A local AWS with both stacks. Its functions reach it through a proxy. */
export interface ProxiedAws extends DeployedAws {
  /** The address of AWS for functions. */
  readonly proxyUrl: string;
  /** The settings of the deployment, with the proxy's address. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Runs the work on a local AWS of its own, with real waits, and stops everything afterward. */
export const withProxiedAws = async <Result>(
  { startProxy, settings: given, ...start }: ProxiedSetup,
  say: (line: string) => void,
  work: (aws: ProxiedAws) => Promise<Result>,
): Promise<Result> => {
  const proxyPort = await freePort();
  // An IP address, because names of buckets below `localhost` do not resolve everywhere.
  const proxyUrl = `https://127.0.0.1:${proxyPort}`;
  const settings = { ...given, localEndpoint: proxyUrl };
  const setup = new LocalAwsSetup({ ...start, waitScale: 1, functionsEndpoint: proxyUrl, settings });
  let proxy: { readonly stop: () => Promise<void> } | undefined;
  try {
    await setup.install(say);
    say('Starting a local AWS');
    await setup.start();
    proxy = await startProxy(setup.address, proxyPort);
    await setup.bootstrap(() => {});
    say('Deploying both stacks to it');
    await setup.deploy(() => {});
    return await work({ ...setup.deployed, proxyUrl, settings });
  } finally {
    await setup.stop();
    await proxy?.stop();
  }
};
