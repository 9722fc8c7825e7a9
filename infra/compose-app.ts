import type { App, Stack } from 'aws-cdk-lib';
import { Annotations } from 'aws-cdk-lib';
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
  const orchestrator = new PayoutOrchestratorStack(app, 'PayoutOrchestrator', {
    ...stackProps('PayoutOrchestrator', settings),
    description: 'Makes batches of payouts, each at most once',
    settings,
    provider: providerAccount(app, settings),
  });
  refuseLongEnvironments(app);
  if (keepsData(settings.stage)) warnOfSandbox(orchestrator);
};

/** A deployment forgets the settings of the last one. Where a real account paid, everything would seem to be paid. */
const warnOfSandbox = (stack: Stack): void => {
  const given: unknown = stack.node.tryGetContext('provider');
  if (given !== undefined && given !== '') return;
  Annotations.of(stack).addWarningV2(
    'payout-orchestrator:sandbox',
    `No provider is set, so the sandbox pays: payouts end as completed, and no money moves. To agree: -c provider='{"kind":"sandbox"}'`,
  );
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
  // Names each kind: one that is forgotten must not compile, since the sandbox would pay instead.
  switch (provider.kind) {
    case 'service':
      return { ...provider, account: provider.account ?? provider.baseUrl };
    case 'sandbox': {
      const { handedOver, baseUrl } = paymentService(app, settings);
      const account = provider.account ?? 'sandbox';
      return { ...provider, account, ...handedOver, baseUrl, signing: 'hmac-sha256' };
    }
  }
};

const paymentService = (app: App, settings: InfraSettings): PaymentServiceStack => {
  const { paymentService: behavior, stage } = settings;
  return new PaymentServiceStack(app, 'PaymentService', {
    ...stackProps('PaymentService', settings),
    description: 'The payment service with its sandbox behavior',
    setsApiLogRole: settings.setsApiLogRole,
    alarms: settings,
    warmWritesPerSecond: settings.warmWritesPerSecond,
    settings: { ...behavior, credentialsPrefix: `${behavior.credentialsPrefix}/${stage}` },
  });
};
