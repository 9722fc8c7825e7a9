import type { StackProps } from 'aws-cdk-lib';
import { CfnOutput, Fn, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { alarmTopicOf } from './constructs/alarm-topic.ts';
import { BatchEvents } from './constructs/batch-events.ts';
import { BatchSchedules } from './constructs/batch-schedules.ts';
import { BatchWatch } from './constructs/batch-watch.ts';
import { BatchWorkflow } from './constructs/batch-workflow.ts';
import { DataKey } from './constructs/data-key.ts';
import { EventWebhook } from './constructs/event-webhook.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { OperatorApi } from './constructs/operator-api.ts';
import { OperatorConsole } from './constructs/operator-console.ts';
import { PayoutFiles } from './constructs/payout-files.ts';
import { PayoutLedger } from './constructs/payout-ledger.ts';
import { PeopleNotices } from './constructs/people-notices.ts';
import type { ProviderAccount } from './constructs/provider-access.ts';
import { ProviderAccess } from './constructs/provider-access.ts';
import { ProviderNetwork } from './constructs/provider-network.ts';
import { WebhookIntake } from './constructs/webhook-intake.ts';
import type { InfraSettings } from './settings.ts';

export interface PayoutOrchestratorProps extends StackProps {
  readonly settings: InfraSettings;
  readonly provider: ProviderAccount;
}

/** From a file to payouts, in the order the money's way takes: file, ledger, provider, workflow, operators, webhooks. */
export class PayoutOrchestratorStack extends Stack {
  constructor(scope: Construct, id: string, { settings, provider: account, ...props }: PayoutOrchestratorProps) {
    super(scope, id, props);
    const orchestrator = settings.orchestrator;
    const key = new DataKey(this, 'DataKey', 'Payout files, proofs and the payout ledger');
    const lock =
      settings.objectLockDays === 0 ? undefined : { mode: settings.objectLockMode, days: settings.objectLockDays };
    const files = new PayoutFiles(this, 'PayoutFiles', { key, lock });
    const ledger = new PayoutLedger(this, 'PayoutLedger', { key, warmWritesPerSecond: settings.warmWritesPerSecond });
    const network =
      settings.provider.staticAddresses === 0
        ? undefined
        : new ProviderNetwork(this, 'ProviderNetwork', {
            addresses: settings.provider.staticAddresses,
            port: portOf(account.baseUrl),
            ledger,
            files,
          });
    const provider = new ProviderAccess(this, 'Provider', account, network);
    const workflow = new BatchWorkflow(this, 'BatchWorkflow', {
      ledger,
      files,
      provider,
      settings: orchestrator,
      submitsAtOnce: settings.submitsAtOnce,
      submitConcurrency: settings.submitConcurrency,
    });
    const api = new OperatorApi(this, 'OperatorApi', {
      ledger,
      files,
      workflow,
      provider,
      settings: orchestrator,
      requestsPerSecond: settings.apiRequestsPerSecond,
      webhooksPerSecond: settings.webhookRequestsPerSecond,
      // Of two stacks that are deployed together the first sets it.
      setsLogRole: settings.setsApiLogRole && settings.provider.kind === 'service',
    });
    const webhookSecretName = `${settings.webhookSecretName}/${settings.stage}`;
    const webhooks = new WebhookIntake(this, 'Webhooks', {
      api,
      ledger,
      provider,
      settings: orchestrator,
      secretName: webhookSecretName,
    });
    const watch = new BatchWatch(this, 'Watch', {
      ledger,
      workflow,
      provider,
      settings: orchestrator,
      everyMinutes: settings.watchMinutes,
    });
    const events = new BatchEvents(this, 'Events', {
      ledger,
      settings: orchestrator,
      everyMinutes: settings.watchMinutes,
    });
    const operatorConsole = new OperatorConsole(this, 'Console', {
      api,
      ledger,
      files,
      workflow,
      provider,
      settings: orchestrator,
    });
    const schedules = new BatchSchedules(this, 'Schedules', { ledger, workflow, settings: orchestrator });
    const notices = new PeopleNotices(this, 'Notices', {
      bus: events.bus,
      ledger,
      settings: orchestrator,
      apiUrl: api.url,
      email: settings.notifyEmail,
    });
    const { eventWebhook } = settings;
    const merchant =
      eventWebhook &&
      new EventWebhook(this, 'EventWebhook', { bus: events.bus, settings: orchestrator, webhook: eventWebhook });
    const alarmTopic = alarmTopicOf(this, settings);
    new Monitoring(this, 'Monitoring', {
      workflow,
      webhooks,
      publishNews: events.publishNews,
      undeliveredEvents: merchant?.undelivered,
      api: api.api,
      table: ledger.table,
      toldOtherwise: new Set([
        ...api.functions.keys(),
        ...operatorConsole.functions.keys(),
        'ReceiveWebhook',
        // The one step without a Catch: Follow finds out what it left.
        ...[...workflow.functions.keys()].filter((name) => name !== 'SubmitChunk'),
      ]),
      functions: new Map(
        [workflow, api, webhooks, watch, events, operatorConsole, schedules, notices, merchant].flatMap((part) => [
          ...(part?.functions ?? []),
        ]),
      ),
      alarmTopic,
    });
    this.#output('ApiUrl', api.url);
    this.#output('DashboardUrl', operatorConsole.url);
    this.#output('EventBusName', events.bus.eventBusName);
    this.#output('NoticeTopicArn', notices.topic.topicArn);
    this.#output('FilesBucket', files.bucket.bucketName);
    this.#output('LedgerTable', ledger.table.tableName);
    this.#output('WebhookSecretName', webhookSecretName);
    this.#output('ReapplyWebhooksFunction', webhooks.reapply.functionName);
    if (alarmTopic !== undefined) this.#output('AlarmTopicArn', alarmTopic.topicArn);
    this.#output('StateMachineArn', workflow.stateMachine.stateMachineArn);
    if (network !== undefined) this.#output('StaticAddresses', network.addresses.join(' '));
  }

  /** As the region has them when it is deployed, so that nothing is looked up when it is synthesized. */
  override get availabilityZones(): string[] {
    return [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs()));
  }

  #output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

/** The port of an address that may be known only once it is deployed: the sandbox's is API Gateway's. */
const portOf = (url: string): number => (Token.isUnresolved(url) ? 443 : Number(new URL(url).port || 443));
