import { setInterval as every } from 'node:timers/promises';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { DeployedAws } from '../deployed-aws.ts';
import { deployedAws } from '../deployed-aws.ts';
import { isRunning, useLocalAws } from '../emulator.ts';
import type { ConsoleBackend } from './console-server.ts';
import { createConsoleServer, listenOnLoopback } from './console-server.ts';
import { dashboardNameIn, readDashboard } from './dashboard.ts';
import { bucketFiles } from './files.ts';

/** Milliseconds between two looks at whether the local AWS is still up, and how many in vain end the console. */
const lookMs = 1000;
const looksInVain = 5;

/** The local AWS as the console asks it, with the keys that it takes for an account's root. */
const backendOf = ({ aws, outputs }: DeployedAws): ConsoleBackend => {
  const { FilesBucket, DashboardUrl } = outputs.PayoutOrchestrator;
  const requestHandler = { requestTimeout: 35_000, throwOnRequestTimeout: true };
  const lambda = new LambdaClient({ maxAttempts: 1, requestHandler });
  const cloudWatch = new CloudWatchClient({ maxAttempts: 2, requestHandler });
  return {
    dashboard: () => readDashboard(cloudWatch, dashboardNameIn(DashboardUrl)),
    files: bucketFiles(FilesBucket, aws.endpoint, orchestratorSettings().parse({}).maxFileBytes),
    invoke: async (endpoint, event) => {
      const { FunctionError, Payload } = await lambda.send(
        new InvokeCommand({ FunctionName: endpoint, Payload: JSON.stringify(event) }),
      );
      if (FunctionError !== undefined) return { error: FunctionError };
      return { answer: JSON.parse(Buffer.from(Payload ?? []).toString()) };
    },
  };
};

/** Serves the console of a local AWS for as long as that is up. */
const serve = async (deployed: DeployedAws): Promise<void> => {
  useLocalAws(deployed.aws);
  const server = createConsoleServer(backendOf(deployed));
  // Beside the local AWS, so that its address stays the same from one time to the next.
  const url = await listenOnLoopback(server, Number(new URL(deployed.aws.endpoint).port) + 1);
  process.send?.({ url });
  let inVain = 0;
  for await (const _ of every(lookMs)) {
    inVain = (await isRunning(deployed.aws)) ? 0 : inVain + 1;
    if (inVain === looksInVain || !isThere(deployed.aws.pid)) process.exit();
  }
};

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

// Whoever started it and has gone before saying what to serve wants nothing served.
const leave = (): never => process.exit(1);
process.once('disconnect', leave);
process.once('message', (said) => {
  process.off('disconnect', leave);
  void serve(deployedAws.parse(said));
});
