import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { Alarms, every } from '../alarms.ts';
import type { ServiceApi } from './service-api.ts';
import type { ServiceParts } from './service-functions.ts';
import type { Settlement } from './settlement.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export interface ServiceMonitoringProps {
  readonly parts: ServiceParts;
  readonly settlement: Settlement;
  readonly webhooks: WebhookDelivery;
  readonly api: ServiceApi;
  /** Hears of every alarm. Without one they show in CloudWatch alone. */
  readonly alarmTopic: ITopic | undefined;
}

/** What somebody should look at in the payment service. What its queues try again is told once they give it up. */
export class ServiceMonitoring extends Construct {
  constructor(scope: Construct, id: string, { parts, settlement, webhooks, api, alarmTopic }: ServiceMonitoringProps) {
    super(scope, id);
    const alarms = new Alarms(this, alarmTopic);
    alarms.onSetAside(
      'NotSettled',
      settlement.unsettled,
      'A group was not settled in ten tries: look at the log of SettleGroups.',
    );
    alarms.onSetAside(
      'WebhookNotDelivered',
      webhooks.undelivered,
      'A merchant did not take a webhook: ListWebhookDeliveries shows the attempts.',
    );
    alarms.onLateStream(
      'WebhooksLate',
      webhooks.announce,
      'Changes are announced late: look at the log of AnnounceChanges.',
    );
    alarms.onThrottledTable(
      'Table',
      parts.table.table,
      'DynamoDB has throttled the payment service for 15 minutes: set warmWritesPerSecond.',
    );
    // A sandbox answers 5xx when it is told to.
    if (!parts.settings.sandbox) {
      alarms.add(
        'ApiFailed',
        api.api.metricServerError(every),
        'The payment service answered 5xx: see the logs of its functions.',
      );
    }
  }
}
