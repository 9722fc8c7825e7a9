import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { newsFilter } from '../../functions/ledger/table.ts';
import { NodeFunction } from './node-function.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import { settingsEnvironment } from './settings-environment.ts';

/** Tries of what the stream hands over. What is not told by then `publish-overdue` tells, and the stream goes on. */
const streamTries = 5;

/** Seconds of one round of the stream: some batches at once, each in a few requests. */
const publishSeconds = 60;

/** Seconds that a look for what is overdue may take: it is over before the next one begins. */
export const overdueSeconds = 240;

export interface BatchEventsProps {
  readonly ledger: PayoutLedger;
  readonly settings: OrchestratorSettings;
  readonly everyMinutes: number;
}

/** The bus on which others hear of batches, and what publishes to it: see functions/events. */
export class BatchEvents extends Construct {
  readonly bus: EventBus;
  /** Takes news from the ledger's stream. */
  readonly publishNews: NodeFunction;
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: BatchEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: `${Stack.of(this).stackName}-events`,
      description: 'What batches come to: see functions/events/README.md',
    });
    this.publishNews = this.#publishNews(props);
    this.functions = new Map([
      ['PublishNews', this.publishNews],
      ['PublishOverdue', this.#publishOverdue(props)],
    ]);
  }

  #publishNews(props: BatchEventsProps): NodeFunction {
    const publish = this.#publisher('PublishNews', props, {
      entry: 'functions/events/publish-news.ts',
      description: 'Numbers what the ledger’s stream tells of batches, and publishes it',
      timeout: Duration.seconds(publishSeconds),
    });
    props.ledger.streamTo(publish, 'News', {
      retryAttempts: streamTries,
      reportBatchItemFailures: true,
      filters: [FilterCriteria.filter(newsFilter)],
    });
    return publish;
  }

  #publishOverdue(props: BatchEventsProps): NodeFunction {
    const publish = this.#publisher('PublishOverdue', props, {
      entry: 'functions/events/publish-overdue.ts',
      description: 'Publishes what the stream left over',
      timeout: Duration.seconds(overdueSeconds),
    });
    props.ledger.allow(publish, ['readIndexes']);
    new Rule(this, 'Schedule', {
      description: 'Wakes the look for events that are overdue',
      schedule: Schedule.rate(Duration.minutes(props.everyMinutes)),
      targets: [new LambdaFunction(publish, { retryAttempts: 0 })],
    });
    return publish;
  }

  #publisher(
    name: string,
    { ledger, settings }: BatchEventsProps,
    made: Pick<ConstructorParameters<typeof NodeFunction>[2], 'entry' | 'description' | 'timeout'>,
  ): NodeFunction {
    const publisher = new NodeFunction(this, name, {
      ...made,
      environment: {
        LEDGER_TABLE: ledger.table.tableName,
        EVENT_BUS_NAME: this.bus.eventBusName,
        ...settingsEnvironment(settings),
      },
    });
    ledger.allow(publisher, ['read', 'readMany', 'keepEvents']);
    publisher.allow(['events:PutEvents'], [this.bus.eventBusArn]);
    return publisher;
  }
}
