import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Dashboard, GraphWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { Alarms, every, periodOf } from '../alarms.ts';
import type { NodeFunction } from '../node-function.ts';
import type { DeadLetters } from '../retried-queue.ts';
import type { Woken } from '../wake-regularly.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { WebhookIntake } from './webhook-intake.ts';

export interface MonitoringProps {
  readonly workflow: BatchWorkflow;
  readonly webhooks: WebhookIntake;
  /** Reads the ledger's stream. */
  readonly publishNews: NodeFunction;
  readonly watch: Woken;
  readonly reconcile: Woken;
  readonly publishOverdue: Woken;
  /** Events that the merchant's webhook did not accept, if there is a webhook. */
  readonly undeliveredEvents?: DeadLetters | undefined;
  readonly api: RestApi;
  /** The ledger. */
  readonly table: TableV2;
  readonly functions: readonly NodeFunction[];
  /** Functions without an alarm of their own: an error is a 5xx of the API, fails an execution, or shows in the console. */
  readonly coveredOtherwise: ReadonlySet<NodeFunction>;
  /** Notified of every alarm. Without it alarms show only in CloudWatch. */
  readonly alarmTopic?: ITopic | undefined;
}

/** Metrics that functions count when a person should look, and the text of the alarm. */
const countedOnce = {
  PayoutChangedAfterEnd:
    'The provider contradicts a payout: money may have moved differently than recorded, or twice. Ask it, then settle the payout as noted.',
  PayoutQuarantined:
    'It is unknown whether a payout was made. It is not retried: a person has to find out and settle it.',
  BatchHalted:
    'The provider refused our credentials, or someone changed a plan file. The batch submits nothing more. Fix it, then resume.',
  BatchFailed: 'A batch paid nobody: its file was refused, or every payout failed. Its attention says why.',
  PayoutsHeld:
    'A batch has ended, but the provider still holds payouts for a check. Ask the provider, then resume the batch.',
  ProofNotArchived: 'A transfer proof cannot be stored. Check the rights of Follow on the bucket and its key.',
  ConversionUnknown: 'It is unknown whether a conversion happened. Its batch waits for a person to settle it.',
} as const;

/**
 * Those that WatchBatches counts again in each run, while they last. It counts BatchStuck of a lost execution once, since it then
 * pauses the batch. Convert counts TreasuryLockStuck too.
 */
const countedByWatch = {
  BatchStuck: 'A batch has not ended, but no workflow runs for it. Resume or cancel it.',
  BatchWaits: 'A batch is paused or awaits funds: see its reason. Fix that and resume it, top up, or cancel it.',
  FeesBeyondEstimate:
    'The provider charges more than the estimate plus feeTolerancePercent. Pause the batch and ask the provider.',
  BatchAwaitsApproval: 'A batch awaits approval. Someone other than its starter has to approve or reject it.',
  PayoutsNotSubmitted:
    'Payouts do not reach the provider although their batch may submit. See the log of SubmitChunk and its execution.',
  BatchNotFollowed:
    'A batch is paying, but no sweep follows its payouts. See its execution and the log of Follow, then resume the batch.',
  TreasuryLockStuck: 'A conversion in doubt keeps a currency pair locked. GET /funds shows which one: settle it.',
} as const;

/** Those that ReconcileBatches counts again in each run, while it lasts. */
const countedByReconcile = {
  BatchNotReconciled: 'Comparing an ended batch with the provider is a day late. See the log of ReconcileBatches.',
} as const;

/** It has no alarm, because the functions slow down and speed up by themselves. GET /funds shows the current rate. */
const throttled = 'ProviderThrottled';

/**
 * A metric that this stack's functions count. Their service name is the stack's name.
 *
 * @param period not shorter than the interval in which it is counted again: an alarm that ended between would send a mail each time
 */
const countedMetric = (scope: Construct, metricName: string, period = every.period): Metric =>
  new Metric({
    namespace: 'PayoutOrchestrator',
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName },
    ...every,
    period,
  });

/** An alarm for everything that a person should look at, and a dashboard. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const machine = props.workflow.stateMachine;
    const alarms = new Alarms(this, props.alarmTopic);
    alarms.add(
      'ExecutionFailed',
      machine.metricFailed(every),
      'An execution failed. Its batch is paused with a reason, unless it had ended: then the log line step.failed names it. Fix the cause, and resume.',
    );
    alarms.add(
      'ExecutionTimedOut',
      machine.metricTimedOut(every),
      'An execution timed out. Resume or cancel its batch.',
    );
    alarms.add(
      'ExecutionAborted',
      machine.metricAborted(every),
      'An execution was stopped. Resume or cancel its batch.',
    );
    alarms.onSetAside(
      'WebhookNotApplied',
      props.webhooks.unapplied,
      'A webhook could not be applied. Fix what the log says, then invoke ReapplyWebhooks (functions/webhooks/README.md).',
    );
    if (props.undeliveredEvents !== undefined)
      alarms.onSetAside(
        'EventNotDelivered',
        props.undeliveredEvents,
        'The merchant’s webhook did not accept an event. See the log of DeliverEvents (functions/events/WEBHOOK.md).',
      );
    alarms.onLateStream('EventsLate', props.publishNews, 'Events are published late. See the log of PublishNews.');
    alarms.onLateStream(
      'WebhooksLate',
      props.webhooks.queueHints,
      'Webhooks are handed on late. See the log of HandOnWebhook. While a batch runs, polling finds the same changes.',
    );
    alarms.onThrottledTable(
      'Ledger',
      props.table,
      'DynamoDB has throttled the ledger for 15 minutes. Start fewer batches at a time. If it throttles the writes of payouts, set warmWritesPerSecond, or lower provider.postsPerSecond.',
      ledgerTable.indexes,
    );
    alarms.add(
      'FunctionsThrottled',
      LambdaFunction.metricAllThrottles(every),
      'Lambda has throttled this account’s functions for 15 minutes. Raise its limit, or start fewer batches at a time.',
      { periods: 3 },
    );
    alarms.add(
      'ApiFailed',
      props.api.metricServerError(every),
      'The API or the webhook returned 5xx. See the logs of their functions.',
    );
    for (const [metrics, period] of this.#counted(props)) {
      for (const [metricName, meaning] of Object.entries(metrics))
        alarms.add(metricName, countedMetric(this, metricName, period), meaning);
    }
    alarms.onNotRunning(props.watch, 'Nothing else reports batches that wait or are stuck.');
    alarms.onNotRunning(props.reconcile, 'Ended batches are not compared with the provider.');
    alarms.onNotRunning(props.publishOverdue, 'Events that the stream left over are not published.');
    for (const made of props.functions.filter((one) => !props.coveredOtherwise.has(one))) {
      const { id: name } = made.node;
      alarms.add(`${name}Errors`, made.metricErrors(every), `The function ${name} failed. See its log.`);
    }
    this.#dashboard(props);
  }

  /** The counted metrics, with the period of their alarms. */
  #counted({ watch, reconcile }: MonitoringProps) {
    return [
      [countedOnce, every.period],
      [countedByWatch, periodOf(watch)],
      [countedByReconcile, periodOf(reconcile)],
    ] as const;
  }

  #dashboard(props: MonitoringProps): void {
    const machine = props.workflow.stateMachine;
    const { functions } = props;
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, width: 12, left });
    const batches = [machine.metricStarted(every), machine.metricSucceeded(every), machine.metricFailed(every)];
    const forPeople = this.#counted(props).flatMap(([metrics]) =>
      Object.keys(metrics).map((metricName) => countedMetric(this, metricName)),
    );
    const errors = functions.map((made) => made.metricErrors(every));
    const times = functions.map((made) => made.metricDuration({ ...every, statistic: 'p99' }));
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [graph('Batches', batches), graph('For a person to look at', forPeople)],
        [graph('Function errors', errors), graph('Function time, 99th percentile', times)],
        [graph('Requests that the provider throttled', [countedMetric(this, throttled)])],
      ],
    });
  }
}
