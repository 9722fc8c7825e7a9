import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';

export const every = { statistic: 'Sum', period: Duration.minutes(5) } as const;
const most = { ...every, statistic: 'Maximum' } as const;

/** Longest normal wait of a change in a table's stream, which keeps it for a day. */
const lateMs = 900_000;

/** Age of a message that SQS will soon delete: its queue keeps it for 14 days. */
const nearlyLostSeconds = 11 * 86_400;

interface Limit {
  /** The lowest value that raises the alarm: by default 1. */
  readonly threshold?: number;
  /** How many periods of five minutes in a row it must last: by default 1. */
  readonly periods?: number;
}

/** The alarms of a stack. A description says what happened and what to do. All notify one topic, if there is one. */
export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, topic: ITopic | undefined) {
    this.#scope = scope;
    this.#topic = topic;
  }

  add(name: string, metric: IMetric, alarmDescription: string, { threshold = 1, periods = 1 }: Limit = {}): void {
    const alarm = new Alarm(this.#scope, name, {
      metric,
      alarmDescription,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.#topic !== undefined) alarm.addAlarmAction(new SnsAction(this.#topic));
  }

  /** For a dead-letter queue: alarms on its first message, and again before SQS deletes one. */
  onSetAside(name: string, queue: Queue, description: string): void {
    this.add(name, queue.metricApproximateNumberOfMessagesVisible(most), description);
    this.add(
      `${name}NearlyLost`,
      queue.metricApproximateAgeOfOldestMessage(most),
      `A message was set aside 11 days ago, and SQS deletes it after 14. Act now. ${description}`,
      { threshold: nearlyLostSeconds },
    );
  }

  onLateStream(name: string, reader: NodeFunction, description: string): void {
    this.add(name, reader.metric('IteratorAge', most), description, { threshold: lateMs });
  }

  /** For lasting throttles only: an on-demand table throttles while it grows, and throttled requests are retried. */
  onThrottledTable(name: string, table: TableV2, description: string): void {
    const lasting = { periods: 3 };
    this.add(`${name}ReadsThrottled`, table.metric('ReadThrottleEvents', every), description, lasting);
    this.add(`${name}WritesThrottled`, table.metric('WriteThrottleEvents', every), description, lasting);
  }
}
