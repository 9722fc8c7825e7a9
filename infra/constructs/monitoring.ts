import type { Duration } from 'aws-cdk-lib';
import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Alarms, every } from './alarms.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { NodeFunction } from './node-function.ts';
import type { WebhookIntake } from './webhook-intake.ts';

export interface MonitoringProps {
  readonly workflow: BatchWorkflow;
  readonly webhooks: WebhookIntake;
  /** Reads the ledger's stream. */
  readonly publishNews: NodeFunction;
  /** Where events wait that a merchant's webhook did not take, if there is one. */
  readonly undeliveredEvents?: Queue | undefined;
  readonly api: RestApi;
  /** The ledger. */
  readonly table: TableV2;
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Functions whose errors another alarm tells: the API answers 5xx, the execution fails. */
  readonly toldOtherwise: ReadonlySet<string>;
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

/** No alarm watches it: everybody goes slower then, and faster again by themselves. GET /funds says how fast. */
const throttled = 'ProviderThrottled';

/** Of this stack's functions: their name of service is its name. */
const countedMetric = (
  scope: Construct,
  metricName: string,
  every: { readonly statistic: string; readonly period: Duration },
): Metric =>
  new Metric({
    namespace: 'PayoutOrchestrator',
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName },
    ...every,
  });

/** One alarm a thing that a person should look at, and one dashboard to see them on. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const machine = props.workflow.stateMachine;
    const alarms = new Alarms(this, props.alarmTopic);
    alarms.add(
      'ExecutionFailed',
      machine.metricFailed(every),
      'A batch execution failed: resume the batch by the API.',
    );
    alarms.add(
      'ExecutionTimedOut',
      machine.metricTimedOut(every),
      'A batch execution ran out of time: resume the batch.',
    );
    alarms.add(
      'ExecutionAborted',
      machine.metricAborted(every),
      'A batch execution was stopped: resume or cancel the batch.',
    );
    alarms.onSetAside(
      'WebhookNotApplied',
      props.webhooks.unapplied,
      'A webhook could not be applied: mend what its log says, then invoke ReapplyWebhooks (functions/webhooks/README.md).',
    );
    if (props.undeliveredEvents !== undefined)
      alarms.onSetAside(
        'EventNotDelivered',
        props.undeliveredEvents,
        'The merchant’s webhook did not take an event: look at the log of DeliverEvents (functions/events/WEBHOOK.md).',
      );
    alarms.onLateStream('EventsLate', props.publishNews, 'Events are published late: look at the log of PublishNews.');
    alarms.onLateStream(
      'WebhooksLate',
      props.webhooks.handOn,
      'Webhooks are handed on late: look at the log of HandOnWebhook. Polling finds the same while a batch runs.',
    );
    alarms.onThrottledTable(
      'Ledger',
      props.table,
      'DynamoDB has throttled the ledger for 15 minutes: set warmWritesPerSecond, or fewer provider.postsPerSecond.',
    );
    alarms.add(
      'FunctionsThrottled',
      LambdaFunction.metricAllThrottles(every),
      'Lambda has refused functions of this account for 15 minutes: raise its limit, or start fewer batches at once.',
      { periods: 3 },
    );
    alarms.add(
      'ApiFailed',
      props.api.metricServerError(every),
      'The API, the console or the webhook answered 5xx: see the logs of their functions.',
    );
    for (const [metricName, meaning] of Object.entries(counted)) {
      alarms.add(metricName, countedMetric(this, metricName, every), meaning);
    }
    for (const [name, made] of props.functions) {
      if (props.toldOtherwise.has(name)) continue;
      alarms.add(`${name}Errors`, made.metricErrors(every), `The function ${name} ended in an error.`);
    }
    this.#dashboard(props);
  }

  #dashboard(props: MonitoringProps): void {
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
            left: Object.keys(counted).map((metricName) => countedMetric(this, metricName, every)),
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
            left: [countedMetric(this, throttled, every)],
          }),
        ],
      ],
    });
  }
}
