import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { newsFilter } from '../../../functions/ledger/table/table.ts';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import type { NodeFunction } from '../node-function.ts';
import type { Woken } from '../wake-regularly.ts';
import { wakeRegularly } from '../wake-regularly.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

/** Retries of a record of the stream. Then the stream goes on, and PublishOverdue publishes what was left over. */
const streamRetries = 5;

export interface BatchEventsProps extends OrchestratorParts {
  readonly everyMinutes: number;
}

/** The event bus with the news of batches, and the functions that publish to it: see functions/events. */
export class BatchEvents extends Construct {
  readonly bus: EventBus;
  /** Reads news from the ledger's stream. */
  readonly publishNews: NodeFunction;
  /** Publishes what the stream left over. */
  readonly publishOverdue: Woken;
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, { everyMinutes, ...parts }: BatchEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: `${Stack.of(this).stackName}-events`,
      description: 'News of batches: see functions/events/README.md',
    });
    this.publishNews = this.#publisher('PublishNews', parts);
    parts.ledger.streamTo(this.publishNews, 'News', {
      retryAttempts: streamRetries,
      reportBatchItemFailures: true,
      filters: [FilterCriteria.filter(newsFilter)],
    });
    const publishOverdue = this.#publisher('PublishOverdue', parts);
    this.publishOverdue = wakeRegularly(this, 'Schedule', publishOverdue, {
      everyMinutes,
      description: 'Wakes the search for overdue events',
    });
    this.functions = [this.publishNews, publishOverdue];
  }

  #publisher(name: 'PublishNews' | 'PublishOverdue', parts: OrchestratorParts): NodeFunction {
    const environment = { EVENT_BUS_NAME: this.bus.eventBusName };
    const publisher = orchestratorFunction(this, name, backgroundFunctions[name], parts, { environment });
    publisher.allow(['events:PutEvents'], [this.bus.eventBusArn]);
    return publisher;
  }
}
