import type { StackProps } from 'aws-cdk-lib';
import { CfnOutput, Fn, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { alarmTopicOf } from './constructs/alarm-topic.ts';
import { DataKey } from './constructs/data-key.ts';
import { BatchEvents } from './constructs/orchestrator/batch-events.ts';
import { BatchSchedules } from './constructs/orchestrator/batch-schedules.ts';
import { BatchWatch } from './constructs/orchestrator/batch-watch.ts';
import { BatchWorkflow } from './constructs/orchestrator/batch-workflow.ts';
import { EventWebhook } from './constructs/orchestrator/event-webhook.ts';
import { Monitoring } from './constructs/orchestrator/monitoring.ts';
import { OperatorApi } from './constructs/orchestrator/operator-api.ts';
import { OperatorConsole } from './constructs/orchestrator/operator-console.ts';
import { PayoutFiles } from './constructs/orchestrator/payout-files.ts';
import { PayoutLedger } from './constructs/orchestrator/payout-ledger.ts';
import { PeopleNotices } from './constructs/orchestrator/people-notices.ts';
import type { ProviderAccount } from './constructs/orchestrator/provider-access.ts';
import { ProviderAccess } from './constructs/orchestrator/provider-access.ts';
import { ProviderNetwork } from './constructs/orchestrator/provider-network.ts';
import { WebhookIntake } from './constructs/orchestrator/webhook-intake.ts';
import type { InfraSettings } from './settings.ts';

export interface PayoutOrchestratorProps extends StackProps {
  readonly settings: InfraSettings;
  readonly provider: ProviderAccount;
}

/** Composes the orchestrator. A construct comes after those it uses. */
export class PayoutOrchestratorStack extends Stack {
  constructor(scope: Construct, id: string, { settings, provider: account, ...props }: PayoutOrchestratorProps) {
    super(scope, id, props);
    const { objectLockDays: days, objectLockMode: mode, warmWritesPerSecond, watchMinutes: everyMinutes } = settings;
    const key = new DataKey(this, 'DataKey', 'Payout files, proofs and the payout ledger');
    const files = new PayoutFiles(this, 'PayoutFiles', { key, lock: days === 0 ? undefined : { mode, days } });
    const ledger = new PayoutLedger(this, 'PayoutLedger', { key, warmWritesPerSecond });
    const { staticAddresses: addresses } = settings.provider;
    const network =
      addresses === 0
        ? undefined
        : new ProviderNetwork(this, 'ProviderNetwork', { addresses, port: portOf(account.baseUrl), ledger, files });
    const provider = new ProviderAccess(this, 'Provider', account, network);
    const parts = { ledger, files, provider, settings: settings.orchestrator };
    const workflow = new BatchWorkflow(this, 'BatchWorkflow', {
      ...parts,
      submitsAtOnce: settings.submitsAtOnce,
      reservedSubmitConcurrency: settings.reservedSubmitConcurrency,
    });
    const api = new OperatorApi(this, 'OperatorApi', {
      ...parts,
      workflow,
      requestsPerSecond: settings.apiRequestsPerSecond,
      webhooksPerSecond: settings.webhookRequestsPerSecond,
      // With the sandbox, the payment service's stack is deployed first and sets it.
      setsLogRole: settings.setsApiLogRole && settings.provider.kind !== 'sandbox',
    });
    const webhookSecretName = `${settings.webhookSecretPrefix}/${settings.stage}`;
    const webhooks = new WebhookIntake(this, 'Webhooks', { ...parts, api, secretName: webhookSecretName });
    const watch = new BatchWatch(this, 'Watch', { ...parts, workflow, everyMinutes });
    const events = new BatchEvents(this, 'Events', { ...parts, everyMinutes });
    const { bus } = events;
    const operatorConsole = new OperatorConsole(this, 'Console', { ...parts, api, workflow });
    const schedules = new BatchSchedules(this, 'Schedules', { ...parts, workflow });
    const notices = new PeopleNotices(this, 'Notices', {
      ...parts,
      bus,
      apiUrl: api.url,
      email: settings.notifyEmail,
    });
    const { eventWebhook: webhook } = settings;
    const merchant = webhook && new EventWebhook(this, 'EventWebhook', { ...parts, bus, webhook });
    const alarmTopic = alarmTopicOf(this, settings);
    new Monitoring(this, 'Monitoring', {
      workflow,
      webhooks,
      publishNews: events.publishNews,
      publishOverdue: events.publishOverdue,
      watch: watch.watch,
      reconcile: watch.reconcile,
      undeliveredEvents: merchant?.undelivered,
      api: api.api,
      table: ledger.table,
      coveredOtherwise: new Set([
        // The alarm of the API, and the console, which shows errors to the person who uses it.
        ...[...api.functions, ...operatorConsole.functions, webhooks.receive],
        // SubmitChunk alone has no Catch: when it fails, its execution goes on, and Follow finds out what it left undone.
        ...workflow.functions.filter((made) => made !== workflow.functionOf('SubmitChunk')),
      ]),
      functions: [workflow, api, webhooks, watch, events, operatorConsole, schedules, notices, merchant].flatMap(
        (part) => part?.functions ?? [],
      ),
      alarmTopic,
    });
    this.#output('ApiUrl', api.url);
    this.#output('DashboardUrl', operatorConsole.url);
    this.#output('EventBusName', bus.eventBusName);
    this.#output('NoticeTopicArn', notices.topic.topicArn);
    this.#output('FilesBucket', files.bucket.bucketName);
    this.#output('LedgerTable', ledger.table.tableName);
    this.#output('WebhookSecretName', webhookSecretName);
    this.#output('ReapplyWebhooksFunction', webhooks.reapply.functionName);
    if (alarmTopic !== undefined) this.#output('AlarmTopicArn', alarmTopic.topicArn);
    this.#output('StateMachineArn', workflow.stateMachine.stateMachineArn);
    if (network !== undefined) this.#output('StaticAddresses', network.addresses.join(' '));
  }

  /** The region's zones as CloudFormation finds them at deployment, so that synthesis needs no lookup. */
  override get availabilityZones(): string[] {
    return [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs()));
  }

  #output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

/** The port of an address. The sandbox's address is known only after deployment, and is API Gateway's. */
const portOf = (url: string): number => (Token.isUnresolved(url) ? 443 : Number(new URL(url).port || 443));
