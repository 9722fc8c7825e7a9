import type { App } from 'aws-cdk-lib';
import type { ProviderAccount } from './constructs/orchestrator/provider-access.ts';
import { refuseLongEnvironments } from './environment-size.ts';
import { PaymentServiceStack } from './payment-service-stack.ts';
import { PayoutOrchestratorStack } from './payout-orchestrator-stack.ts';
import type { InfraSettings } from './settings.ts';
import { keepsData, settingsFrom } from './settings.ts';

/**
 * Creates the stacks in `app`: the orchestrator, and the payment service unless a real account pays.
 *
 * @param awsEndpoint the value of AWS_ENDPOINT_URL
 * @throws WrongSettings
 */
export const composeApp = (app: App, awsEndpoint: string | undefined): void => {
  const settings = settingsFrom(app.node.getAllContext(), awsEndpoint);
  new PayoutOrchestratorStack(app, 'PayoutOrchestrator', {
    ...stackProps('PayoutOrchestrator', settings),
    description: 'Makes batches of payouts, each at most once',
    settings,
    provider: providerAccount(app, settings),
  });
  refuseLongEnvironments(app);
};

/** The name of a stack ends in the stage, and the names of its resources begin with that name. */
const stackProps = (name: string, { region, stage }: InfraSettings) => {
  const account = process.env['CDK_DEFAULT_ACCOUNT'];
  return {
    stackName: `${name}-${stage}`,
    env: { region, ...(account === undefined ? {} : { account }) },
    terminationProtection: keepsData(stage),
  };
};

const providerAccount = (app: App, settings: InfraSettings): ProviderAccount => {
  const { provider } = settings;
  if (provider.kind === 'service') return { ...provider, account: provider.account ?? provider.baseUrl };
  const { paymentService, stage } = settings;
  const service = new PaymentServiceStack(app, 'PaymentService', {
    ...stackProps('PaymentService', settings),
    description: 'The payment service with its sandbox behavior',
    setsApiLogRole: settings.setsApiLogRole,
    alarms: settings,
    warmWritesPerSecond: settings.warmWritesPerSecond,
    settings: { ...paymentService, credentialsPrefix: `${paymentService.credentialsPrefix}/${stage}` },
  });
  const account = provider.account ?? 'sandbox';
  return { ...provider, account, ...service.handedOver, baseUrl: service.baseUrl, signing: 'hmac-sha256' };
};
