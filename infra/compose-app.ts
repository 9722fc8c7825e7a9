import type { App } from 'aws-cdk-lib';
import { documentedTraits } from '../functions/provider/settings.ts';
import type { ProviderAccount } from './constructs/provider-access.ts';
import { PaymentServiceStack } from './payment-service-stack.ts';
import { PayoutOrchestratorStack } from './payout-orchestrator-stack.ts';
import type { InfraSettings } from './settings.ts';
import { keepsData, settingsFrom } from './settings.ts';

/**
 * Makes the stacks in `app`: the orchestrator, and the payment service unless a real account is paid from.
 *
 * @param awsEndpoint where AWS is said to be, by AWS_ENDPOINT_URL
 */
export function composeApp(app: App, awsEndpoint: string | undefined): void {
  const settings = settingsFrom((key) => app.node.tryGetContext(key), awsEndpoint);
  new PayoutOrchestratorStack(app, 'PayoutOrchestrator', {
    ...stackProps(settings),
    description: 'Makes batches of payouts, each at most once',
    settings,
    provider: providerAccount(app, settings),
  });
}

function stackProps({ region, stage }: InfraSettings) {
  const account = process.env['CDK_DEFAULT_ACCOUNT'];
  return {
    env: { region, ...(account === undefined ? {} : { account }) },
    terminationProtection: keepsData(stage),
  };
}

function providerAccount(app: App, settings: InfraSettings): ProviderAccount {
  if (settings.provider.kind === 'service') return settings.provider;
  const service = new PaymentServiceStack(app, 'PaymentService', {
    ...stackProps(settings),
    description: 'The payment service with its sandbox behaviour',
    setsApiLogRole: settings.setsApiLogRole,
    settings: settings.paymentService,
    alarms: settings,
    warmWritesPerSecond: settings.warmWritesPerSecond,
  });
  return {
    baseUrl: service.baseUrl,
    ...service.handedOver,
    signing: 'hmac-sha256',
    traits: documentedTraits,
    postsPerSecond: settings.provider.postsPerSecond,
    readsPerSecond: settings.provider.readsPerSecond,
  };
}
