import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { NodeFunction } from './node-function.ts';
import { serviceName } from './settings-environment.ts';
import type { WebhookIntake } from './webhook-intake.ts';

export interface MonitoringProps {
  readonly workflow: BatchWorkflow;
  readonly webhooks: WebhookIntake;
  /** Reads the ledger's stream. */
  readonly publishNews: NodeFunction;
  /** Where events wait that a merchant's webhook did not take, if there is one. */
  readonly undeliveredEvents?: Queue | undefined;
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Hears of every alarm. Without one they show on the dashboard alone. */
  readonly alarmTopic?: ITopic | undefined;
}

/** The metrics that functions count by themselves, each meaning that a person should look, and what to look for. */
const counted = {
  PayoutChangedAfterEnd:
    'The provider contradicts a payout, mostly after its end: the money may have moved another way than recorded, or twice.',
  PayoutQuarantined: 'It is not known whether a payout was made. A person must find out; it is not tried again.',
  BatchHalted: 'The provider refused our credentials; the batch stopped submitting.',
  BatchStuck: 'A batch has no workflow although it has not ended, or could not say so: resume or cancel it.',
  BatchWaits: 'A batch is paused, or awaits funds: its reason says why. Mend that or top up, resume it, or cancel it.',
  BatchFailed: 'A batch paid nobody: its file was refused, or none of its payouts was made. Its attention says why.',
  PayoutsHeld: 'A batch ended while the provider holds payouts of it for a check: ask the provider, resume the batch.',
  FeesBeyondEstimate:
    'The provider charges more than was estimated, by more than feeTolerancePercent: pause the batch, ask the provider.',
  BatchAwaitsApproval: 'A batch awaits approval by another person than its starter: approve or reject it.',
  PayoutsNotSubmitted:
    'Payouts wait to be submitted although their batch may submit: look at its execution and at the log of SubmitChunk.',
  BatchNotFollowed:
    'A batch disburses and no sweep follows it: look at its execution, and at the log of Follow; resume the batch.',
  BatchNotReconciled:
    'A comparison of an ended batch with the provider is a day late: look at the log of ReconcileBatches.',
  ProofNotArchived:
    'A transfer proof cannot be stored in the bucket: look at the rights of Follow on it and on its key.',
  ConversionUnknown: 'It is not known whether a conversion happened; its batch waits for a person.',
  TreasuryLockStuck: 'A pair of currencies stays locked by a conversion in doubt: settle it. GET /funds shows which.',
} as const;

/** Milliseconds that news may wait in the stream: beyond it somebody should look why. */
const lateEventsMs = 900_000;

/** No alarm watches it: everybody goes slower then, and faster again by themselves. GET /funds says how fast. */
const throttled = 'ProviderThrottled';

function countedMetric(metricName: string, every: { readonly statistic: string; readonly period: Duration }): Metric {
  return new Metric({
    namespace: 'PayoutOrchestrator',
    metricName,
    dimensionsMap: { service: serviceName },
    ...every,
  });
}

/** One alarm a thing that a person should look at, and one dashboard to see them on. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const every = { statistic: 'Sum', period: Duration.minutes(5) } as const;
    const machine = props.workflow.stateMachine;
    const alarms = [
      this.#alarm(
        'ExecutionFailed',
        machine.metricFailed(every),
        'A batch execution failed: resume the batch by the API.',
      ),
      this.#alarm(
        'ExecutionTimedOut',
        machine.metricTimedOut(every),
        'A batch execution ran out of time: resume the batch.',
      ),
      this.#alarm(
        'ExecutionAborted',
        machine.metricAborted(every),
        'A batch execution was stopped: resume or cancel the batch.',
      ),
      this.#alarm(
        'WebhookNotApplied',
        props.webhooks.unapplied.metricApproximateNumberOfMessagesVisible({ ...every, statistic: 'Maximum' }),
        'A webhook could not be applied: mend what its log says, then invoke ReapplyWebhooks (functions/webhooks/README.md).',
      ),
      this.#alarm(
        'EventsLate',
        props.publishNews.metric('IteratorAge', { ...every, statistic: 'Maximum' }),
        'Events are published late: look at the log of PublishNews.',
        lateEventsMs,
      ),
      ...(props.undeliveredEvents === undefined
        ? []
        : [
            this.#alarm(
              'EventNotDelivered',
              props.undeliveredEvents.metricApproximateNumberOfMessagesVisible({ ...every, statistic: 'Maximum' }),
              'The merchant’s webhook did not take an event: look at the log of DeliverEvents (functions/events/WEBHOOK.md).',
            ),
          ]),
      ...Object.entries(counted).map(([metricName, meaning]) =>
        this.#alarm(metricName, countedMetric(metricName, every), meaning),
      ),
      ...[...props.functions].map(([name, made]) =>
        this.#alarm(`${name}Errors`, made.metricErrors(every), `The function ${name} ended in an error.`),
      ),
    ];
    if (props.alarmTopic !== undefined) {
      const action = new SnsAction(props.alarmTopic);
      for (const alarm of alarms) alarm.addAlarmAction(action);
    }
    this.#dashboard(props, every);
  }

  #alarm(name: string, metric: IMetric, description: string, threshold = 1): Alarm {
    return new Alarm(this, name, {
      metric,
      alarmDescription: description,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  #dashboard(props: MonitoringProps, every: { readonly statistic: string; readonly period: Duration }): void {
    const machine = props.workflow.stateMachine;
    const functions = [...props.functions.values()];
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          new GraphWidget({
            title: 'Batches',
            width: 12,
            left: [machine.metricStarted(every), machine.metricSucceeded(every), machine.metricFailed(every)],
          }),
          new GraphWidget({
            title: 'For a person to look at',
            width: 12,
            left: Object.keys(counted).map((metricName) => countedMetric(metricName, every)),
          }),
        ],
        [
          new GraphWidget({
            title: 'Function errors',
            width: 12,
            left: functions.map((made) => made.metricErrors(every)),
          }),
          new GraphWidget({
            title: 'Function time, 99th percentile',
            width: 12,
            left: functions.map((made) => made.metricDuration({ ...every, statistic: 'p99' })),
          }),
        ],
        [
          new GraphWidget({
            title: 'Requests the provider refused as too many',
            width: 12,
            left: [countedMetric(throttled, every)],
          }),
        ],
      ],
    });
  }
}
