import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  LambdaClient,
  PublishVersionCommand,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { deploy, localTarget } from '../../infra/local/aws/deploy.ts';
import type { LocalAwsAddress } from '../../infra/local/aws/emulator.ts';
import { OperatorClient } from '../../infra/local/operator-client.ts';
import { localFolder } from '../../infra/local/paths.ts';
import type { ProxiedAws } from '../support/local-aws/with-proxied-aws.ts';
import { withProxiedAws } from '../support/local-aws/with-proxied-aws.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startNetwork } from './network/network.ts';
import type { SeenRequest, Trouble } from './network/treatment.ts';

/** A local AWS with both stacks. Its functions reach it over a network that can be disturbed. */
export interface ChaoticAws extends ProxiedAws {
  readonly operator: OperatorClient;
  /** The same address without the proxy, for operators and merchants. Only the network between systems is tested. */
  readonly directly: (url: string) => string;
  /** From now on applies these decisions to requests and to new connections. */
  readonly disturb: (treat: (request: SeenRequest) => Trouble | undefined, refuse: () => boolean) => void;
  readonly calm: () => void;
  /** Deploys both stacks again with these settings changed. */
  readonly redeploy: (changes: Readonly<Record<string, string>>) => Promise<void>;
  /** Function invocations that the local AWS ended because of a timeout, so far. */
  readonly countTimeouts: () => Promise<number>;
}

export interface ChaoticSettings {
  /** CDK context, see infra/settings.ts. */
  readonly settings: Readonly<Record<string, string>>;
  /** Timeouts in seconds that replace the functions' own, by a part of their name. */
  readonly functionSeconds: Readonly<Record<string, number>>;
  /** Additional environment variables of the local AWS. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Delay of a stalled answer in milliseconds. */
  readonly stallMs: number;
}

/**
 * Shortens the deployed timeouts of functions. Executions call published versions, whose timeout is fixed. So each function gets
 * a new version, and the state machine calls that one.
 */
const shortenFunctions = async (
  stateMachineArn: string,
  functionSeconds: ChaoticSettings['functionSeconds'],
): Promise<void> => {
  const lambda = new LambdaClient();
  const stepFunctions = new SFNClient();
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    names.push(...Functions.flatMap(({ FunctionName }) => FunctionName ?? []));
  }
  let { definition = '' } = await stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn }));
  for (const [part, Timeout] of Object.entries(functionSeconds)) {
    const [FunctionName, another] = names.filter(
      (name) => name.startsWith('PayoutOrchestrator') && name.includes(part),
    );
    if (FunctionName === undefined || another !== undefined) throw new Error(`no single function matches ${part}`);
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout }));
    const { FunctionArn, Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
    if (FunctionArn === undefined || Version === undefined) throw new Error(`${part} got no new version`);
    const called = new RegExp(`(:function:${FunctionName}):\\d+`, 'g');
    if (!called.test(definition)) throw new Error(`the state machine does not call ${part}`);
    definition = definition.replace(called, `$1:${Version}`);
  }
  await stepFunctions.send(new UpdateStateMachineCommand({ stateMachineArn, definition }));
};

/** Keeps the log of the local AWS in `.local/chaos/emulator.log` and discards its other files, about 100 MB. */
const leaveLog = async (folder: string): Promise<void> => {
  const kept = path.join(localFolder, 'chaos');
  await mkdir(kept, { recursive: true });
  await rename(path.join(folder, 'emulator.log'), path.join(kept, 'emulator.log')).catch(() => {});
  await rm(folder, { recursive: true, force: true });
};

const functionSide = new URL('network/function-side.ts', import.meta.url).href;

/** Runs the work on a chaotic AWS of its own, with real waits, and stops everything afterward. */
export const withChaoticAws = async <Result>(
  { settings, functionSeconds, environment, stallMs }: ChaoticSettings,
  say: (line: string) => void,
  work: (aws: ChaoticAws) => Promise<Result>,
): Promise<Result> => {
  const port = await freePort();
  const folder = path.join(localFolder, `chaos-${port}`);
  let treat: (request: SeenRequest) => Trouble | undefined = () => undefined;
  let refuse: () => boolean = () => false;
  const setup = {
    port,
    folder,
    settings,
    functionsEnvironment: { ...environment, NODE_OPTIONS: `--import ${functionSide}` },
    startProxy: (aws: LocalAwsAddress, networkPort: number) =>
      startNetwork({
        aws,
        port: networkPort,
        treat: (request) => treat(request),
        refuse: () => refuse(),
        stallMs,
      }),
  };
  try {
    return await withProxiedAws(setup, say, async (proxied) => {
      const { ApiUrl, StateMachineArn } = proxied.outputs.PayoutOrchestrator;
      await shortenFunctions(StateMachineArn, functionSeconds);
      const { endpoint, region } = proxied.aws;
      const directly = (url: string): string => url.replace(proxied.proxyUrl, endpoint);
      return work({
        ...proxied,
        directly,
        operator: new OperatorClient({
          apiUrl: directly(ApiUrl),
          region,
          credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        }),
        disturb: (nextTreat, nextRefuse) => {
          treat = nextTreat;
          refuse = nextRefuse;
        },
        redeploy: async (changes) => {
          await deploy(localTarget(proxied.aws), { settings: { ...proxied.settings, ...changes } });
        },
        calm: () => {
          treat = () => undefined;
          refuse = () => false;
        },
        countTimeouts: async () =>
          (await readFile(path.join(folder, 'emulator.log'), 'utf8')).match(/timed out after \d+s/g)?.length ?? 0,
      });
    });
  } finally {
    await leaveLog(folder);
  }
};
