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

/** Milliseconds that a change may wait in a table's stream: beyond it somebody should look why. The stream keeps it for a day. */
const lateMs = 900_000;

/** Seconds after which what was set aside is about to be lost: its queue keeps it for 14 days. */
const nearlyLostSeconds = 11 * 86_400;

interface Limit {
  /** The first value that is told; 1 when left out. */
  readonly threshold?: number;
  /** Periods of five minutes in a row that it must last; 1 when left out. */
  readonly periods?: number;
}

/** The alarms of a stack. A description says what happened, and what to do. All are told at one topic, if there is one. */
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

  /** Of a queue of what was given up: one message is told at once, and again before SQS deletes it. */
  onSetAside(name: string, queue: Queue, description: string): void {
    this.add(name, queue.metricApproximateNumberOfMessagesVisible(most), description);
    this.add(
      `${name}NearlyLost`,
      queue.metricApproximateAgeOfOldestMessage(most),
      `Set aside 11 days ago, and SQS deletes it after 14: see to it now. ${description}`,
      { threshold: nearlyLostSeconds },
    );
  }

  onLateStream(name: string, reader: NodeFunction, description: string): void {
    this.add(name, reader.metric('IteratorAge', most), description, { threshold: lateMs });
  }

  /** Throttles that last: on demand DynamoDB throttles while it grows, and what is throttled is tried again. */
  onThrottledTable(name: string, table: TableV2, description: string): void {
    const lasting = { periods: 3 };
    this.add(`${name}ReadsThrottled`, table.metric('ReadThrottleEvents', every), description, lasting);
    this.add(`${name}WritesThrottled`, table.metric('WriteThrottleEvents', every), description, lasting);
  }
}
