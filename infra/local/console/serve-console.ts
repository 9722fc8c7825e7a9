import { setInterval as every } from 'node:timers/promises';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { DeployedAws } from '../aws/deployed-aws.ts';
import { deployedAws } from '../aws/deployed-aws.ts';
import { isAlive, isRunning, useLocalAws } from '../aws/emulator.ts';
import type { ConsoleBackend } from './console-server.ts';
import { createConsoleServer, listenOnLoopback } from './console-server.ts';
import { dashboardNameIn, readDashboard } from './dashboard.ts';
import { bucketFiles } from './files.ts';

/** The console checks this often whether the local AWS still runs, and exits after so many checks without an answer. */
const checkMs = 1000;
const unansweredChecks = 5;

/** Calls the local AWS with the keys that it treats as the account's root. */
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

/** Serves the console of a local AWS for as long as that runs. */
const serve = async (deployed: DeployedAws): Promise<void> => {
  useLocalAws(deployed.aws);
  const server = createConsoleServer(backendOf(deployed));
  // The next port, so that the address stays the same from run to run.
  const url = await listenOnLoopback(server, Number(new URL(deployed.aws.endpoint).port) + 1);
  process.send?.({ url });
  let unanswered = 0;
  for await (const _ of every(checkMs)) {
    unanswered = (await isRunning(deployed.aws)) ? 0 : unanswered + 1;
    if (unanswered === unansweredChecks || !isAlive(deployed.aws.pid)) process.exit();
  }
};

// The process that started this one is gone before it sent what to serve.
const leave = (): never => process.exit(1);
process.once('disconnect', leave);
process.once('message', (message) => {
  process.off('disconnect', leave);
  void serve(deployedAws.parse(message));
});
