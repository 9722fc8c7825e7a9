import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';
import type { DeadLetters } from './retried-queue.ts';
import { retentionPeriod } from './retried-queue.ts';
import type { Woken } from './wake-regularly.ts';

export const every = { statistic: 'Sum', period: Duration.minutes(5) } as const;
const most = { ...every, statistic: 'Maximum' } as const;

/** Longest normal wait of a change in a table's stream, which keeps it for a day. */
const lateMs = 900_000;

/** A function that runs by the clock is missed after this time, or after two intervals if they are longer. */
const missedAfterMinutes = 60;

/** A second alarm is raised this long before SQS may delete a message that was set aside. */
const noticeSeconds = Duration.days(3).toSeconds();

interface Limit {
  /** By default 1, and the lowest value that raises the alarm. */
  readonly threshold?: number;
  /** How many of the metric's periods in a row it must last: by default 1. */
  readonly periods?: number;
  /** True when a value below the threshold raises it, or none at all. */
  readonly isLeast?: boolean;
}

/** A period of CloudWatch that is not shorter than this interval: five minutes, or a multiple of it. */
export const periodOf = ({ everyMinutes }: Pick<Woken, 'everyMinutes'>): Duration =>
  Duration.minutes(5 * Math.ceil(everyMinutes / 5));

/** The alarms of a stack. A description says what happened and what to do. All notify one topic, if there is one. */
export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, topic: ITopic | undefined) {
    this.#scope = scope;
    this.#topic = topic;
  }

  add(
    name: string,
    metric: IMetric,
    alarmDescription: string,
    { threshold = 1, periods = 1, isLeast = false }: Limit = {},
  ): void {
    const alarm = new Alarm(this.#scope, name, {
      metric,
      alarmDescription,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isLeast
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isLeast ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.#topic !== undefined) alarm.addAlarmAction(new SnsAction(this.#topic));
  }

  /**
   * For a dead-letter queue: alarms on its first message, and again before SQS deletes one. The metric counts a message's age from
   * its move there, and SQS counts the retention from its first queue.
   */
  onSetAside(name: string, { queue, longestAttempts }: DeadLetters, description: string): void {
    this.add(name, queue.metricApproximateNumberOfMessagesVisible(most), description);
    this.add(
      `${name}NearlyLost`,
      queue.metricApproximateAgeOfOldestMessage(most),
      `A message was set aside long ago, and SQS may delete it in three days. Act now. ${description}`,
      { threshold: retentionPeriod.toSeconds() - longestAttempts.toSeconds() - noticeSeconds },
    );
  }

  /** For a function that runs by the clock: without it, silence would look like health. */
  onNotRunning({ woken, everyMinutes }: Woken, consequence: string): void {
    const { id: name } = woken.node;
    const period = Duration.minutes(Math.max(missedAfterMinutes, 2 * everyMinutes));
    this.add(
      `${name}NotRunning`,
      woken.metricInvocations({ statistic: 'Sum', period }),
      `${name} has not run for ${period.toMinutes()} minutes. ${consequence} Enable its rule in EventBridge, or see Lambda’s throttles.`,
      { isLeast: true },
    );
  }

  onLateStream(name: string, reader: NodeFunction, description: string): void {
    this.add(name, reader.metric('IteratorAge', most), description, { threshold: lateMs });
  }

  /**
   * For lasting throttles only: an on-demand table throttles while it grows, and throttled requests are retried. The table's own
   * metrics leave out its indexes. Theirs are watched for writes, because a throttled index throttles the writes of its table.
   *
   * @param indexes by the name that their alarms have
   */
  onThrottledTable(
    name: string,
    table: TableV2,
    description: string,
    indexes: Readonly<Record<string, { readonly name: string }>> = {},
  ): void {
    const lasting = { periods: 3 };
    this.add(`${name}ReadsThrottled`, table.metric('ReadThrottleEvents', every), description, lasting);
    this.add(`${name}WritesThrottled`, table.metric('WriteThrottleEvents', every), description, lasting);
    for (const [index, { name: GlobalSecondaryIndexName }] of Object.entries(indexes)) {
      const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName };
      const writes = table.metric('WriteThrottleEvents', { ...every, dimensionsMap });
      this.add(`${name}${index.charAt(0).toUpperCase()}${index.slice(1)}WritesThrottled`, writes, description, lasting);
    }
  }
}
