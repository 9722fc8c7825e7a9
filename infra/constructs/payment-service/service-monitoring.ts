import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { Alarms, every } from '../alarms.ts';
import type { ServiceApi } from './service-api.ts';
import type { ServiceParts } from './service-functions.ts';
import type { Settlement } from './settlement.ts';
import { settlementAttempts } from './settlement.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export interface ServiceMonitoringProps {
  readonly parts: ServiceParts;
  readonly settlement: Settlement;
  readonly webhooks: WebhookDelivery;
  readonly api: ServiceApi;
  /** Notified of every alarm. Without it alarms show only in CloudWatch. */
  readonly alarmTopic: ITopic | undefined;
}

/** The alarms of the payment service. Queues retry by themselves; their alarms are raised when a message is given up. */
export class ServiceMonitoring extends Construct {
  constructor(scope: Construct, id: string, { parts, settlement, webhooks, api, alarmTopic }: ServiceMonitoringProps) {
    super(scope, id);
    const alarms = new Alarms(this, alarmTopic);
    alarms.onSetAside(
      'NotSettled',
      settlement.unsettled,
      `A group or deposit was not settled in ${settlementAttempts} attempts. Fix what the log of SettleGroups shows, then move this queue's messages back (infra/RUNBOOK.md). Settling twice is harmless.`,
    );
    alarms.onSetAside(
      'WebhookNotDelivered',
      webhooks.undelivered,
      'A webhook was given up or could not be read. ListWebhookDeliveries shows the attempts; without any, see the logs of DeliverWebhooks and AnnounceChanges.',
    );
    alarms.onLateStream(
      'WebhooksLate',
      webhooks.announce,
      'Changes are announced late. See the log of AnnounceChanges.',
    );
    alarms.onThrottledTable(
      'Table',
      parts.table.table,
      'DynamoDB has throttled the payment service for 15 minutes. Writes: set warmWritesPerSecond. Reads: lower provider.readsPerSecond.',
    );
    // Faults make a sandbox answer 5xx on purpose.
    if (!parts.settings.sandbox) {
      alarms.add(
        'ApiFailed',
        api.api.metricServerError(every),
        'The payment service returned 5xx. See the logs of its functions.',
      );
    }
  }
}
