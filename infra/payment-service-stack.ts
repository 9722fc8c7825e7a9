import type { StackProps } from 'aws-cdk-lib';
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { PaymentServiceSettings } from '../functions/payment-service/settings.ts';
import { credentialsSecretName, firstMerchant } from '../functions/payment-service/settings.ts';
import type { AlarmSettings } from './constructs/alarm-topic.ts';
import { alarmTopicOf } from './constructs/alarm-topic.ts';
import type { NodeFunction } from './constructs/node-function.ts';
import type { HandedOver } from './constructs/payment-service/merchant-credentials.ts';
import { AllCredentials } from './constructs/payment-service/merchant-credentials.ts';
import { ServiceApi } from './constructs/payment-service/service-api.ts';
import type { ServiceParts } from './constructs/payment-service/service-functions.ts';
import { requestTimeout, serviceFunction } from './constructs/payment-service/service-functions.ts';
import { ServiceMonitoring } from './constructs/payment-service/service-monitoring.ts';
import { countFaults, ServiceTable } from './constructs/payment-service/service-table.ts';
import { Settlement } from './constructs/payment-service/settlement.ts';
import { WebhookDelivery } from './constructs/payment-service/webhook-delivery.ts';

export interface PaymentServiceStackProps extends StackProps {
  readonly settings: PaymentServiceSettings;
  readonly alarms: AlarmSettings;
  readonly warmWritesPerSecond: number;
  /** Whether the stack sets the account's role for API logs. */
  readonly setsApiLogRole: boolean;
}

/** The payment service: its table, the merchants' credentials, settlement, webhooks and the API. */
export class PaymentServiceStack extends Stack {
  /** The base address of the public document's paths, without a trailing slash. */
  readonly baseUrl: string;
  /** The secrets from which the first merchant reads its credentials. */
  readonly handedOver: HandedOver;

  constructor(
    scope: Construct,
    id: string,
    { settings, alarms, warmWritesPerSecond, setsApiLogRole, ...props }: PaymentServiceStackProps,
  ) {
    super(scope, id, props);
    const table = new ServiceTable(this, 'ServiceTable', { warmWritesPerSecond });
    const credentials = new AllCredentials(this, 'Merchants', settings);
    this.handedOver = credentials.handedOver;
    const parts = { table, credentials, settings };
    const settlement = new Settlement(this, 'Settlement', parts);
    const webhooks = new WebhookDelivery(this, 'Webhooks', parts);
    const shared = { timeout: requestTimeout, readsCredentials: true } as const;
    const api = new ServiceApi(this, 'ServiceApi', {
      requestsPerSecond: settings.requestsPerSecond,
      setsLogRole: setsApiLogRole,
    });
    this.baseUrl = api.url;
    const disbursements = serviceFunction(this, 'Disbursements', parts, {
      ...shared,
      entry: 'handlers/disbursements.ts',
      description: 'Disbursements of both rails',
      access: ['read', 'write', 'delete'],
    });
    const deposits = serviceFunction(this, 'Deposits', parts, {
      ...shared,
      entry: 'handlers/deposits.ts',
      description: 'Deposits of both types, and the creation of checkouts',
      access: ['read', 'write'],
      environment: { PUBLIC_URL: api.url },
    });
    const checkoutPage = serviceFunction(this, 'CheckoutPage', parts, {
      entry: 'handlers/checkout-page.ts',
      description: 'The hosted checkout page',
      timeout: requestTimeout,
      // A transaction makes a checkout's deposit.
      access: ['get', 'write'],
    });
    for (const scheduler of [disbursements, deposits, checkoutPage]) settlement.allowScheduling(scheduler);
    api.serve({
      sandboxControls: settings.sandbox ? this.#sandboxControls(parts, settlement) : undefined,
      disbursements,
      deposits,
      balanceAndConvert: serviceFunction(this, 'BalanceAndConvert', parts, {
        ...shared,
        entry: 'handlers/balance-and-convert.ts',
        description: 'Balance, conversions, references and the answer to unknown paths',
        access: ['read', 'write'],
      }),
      transferProofs: serviceFunction(this, 'TransferProofs', parts, {
        ...shared,
        entry: 'handlers/transfer-proofs.ts',
        description: 'Transfer proofs, as PDF',
        // A sandbox counts strikes of faults.
        access: ['read', 'keepSignatures', ...(settings.sandbox ? countFaults : [])],
      }),
      checkoutPage,
    });
    new ServiceMonitoring(this, 'Monitoring', {
      parts,
      settlement,
      webhooks,
      api,
      alarmTopic: alarmTopicOf(this, alarms),
    });
    this.#output('PaymentServiceUrl', this.baseUrl);
    this.#output('PaymentServiceCredentialsSecret', credentialsSecretName(settings, firstMerchant(settings).clientId));
    this.#output('RegisterWebhookFunction', webhooks.register.functionName);
    this.#output('ListWebhookDeliveriesFunction', webhooks.listDeliveries.functionName);
    this.#output('WebhookQueueArn', webhooks.queueArn);
    this.#output('UndeliveredWebhooksQueueUrl', webhooks.undelivered.queue.queueUrl);
    this.#output('UndeliveredWebhooksQueueArn', webhooks.undelivered.queue.queueArn);
    this.#output('UnsettledQueueArn', settlement.unsettled.queue.queueArn);
  }

  /** The sandbox controls. Outside a sandbox, this function does not exist. */
  #sandboxControls(parts: ServiceParts, settlement: Settlement): NodeFunction {
    const made = serviceFunction(this, 'SandboxControls', parts, {
      timeout: requestTimeout,
      readsCredentials: true,
      entry: 'handlers/sandbox.ts',
      description: 'Clock, rates, faults and reset of a merchant’s sandbox',
      memoryMb: 512,
      access: ['read', 'changeSandbox'],
    });
    settlement.allowScheduling(made);
    return made;
  }

  #output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
