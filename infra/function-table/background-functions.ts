import type { FunctionRow } from './function-row.ts';
import { asks, change } from './function-row.ts';

/** Functions that queues, streams, schedules and the event bus invoke. Rights on queues and topics are granted in constructs/. */
export const backgroundFunctions = {
  ReceiveWebhook: {
    entry: 'functions/webhooks/receive-webhook.ts',
    description: 'POST /webhooks/{token}: stores a webhook once and answers',
    // Below the ten seconds that this repository's payment service waits by default.
    timeoutSeconds: 8,
    ledger: ['putWebhooks', 'updateWebhooks'],
  },
  HandOnWebhook: {
    entry: 'functions/webhooks/queue-hints.ts',
    description: 'Moves new webhooks from the ledger’s stream to the queue of hints',
    timeoutSeconds: 30,
  },
  ApplyWebhook: {
    entry: 'functions/webhooks/apply-webhook.ts',
    description: 'Asks the provider about the payouts that a webhook names, and records the answer',
    // A hint names at most ten payouts, and the settings limit each lookup's HTTP timeout to 30 s.
    timeoutSeconds: 330,
    ledger: change,
    provider: asks,
  },
  ReapplyWebhooks: {
    entry: 'functions/webhooks/reapply-webhooks.ts',
    description: 'Puts webhooks that were set aside back into their queue: invoke it with {}',
    timeoutSeconds: 90,
  },
  WatchBatches: {
    entry: 'functions/watch/watch-batches.ts',
    description: 'Finds batches without a workflow, and money and locks that nobody uses, and raises alarms',
    timeoutSeconds: 240,
    ledger: [...change, 'readIndexes', 'delete'],
    workflow: 'starts',
  },
  BeginScheduled: {
    entry: 'functions/watch/begin-scheduled.ts',
    description: 'Starts the execution of a batch at its start time',
    timeoutSeconds: 60,
    ledger: change,
  },
  ReconcileBatches: {
    entry: 'functions/watch/reconcile-batches.ts',
    description: 'Compares ended batches with the provider’s lists, days after their end',
    // Shorter than its interval, so that runs do not overlap.
    timeoutSeconds: 840,
    // It holds a million payouts in memory, each reduced to what is compared.
    memoryMb: 1024,
    ledger: [...change, 'readMany', 'readIndexes', 'delete'],
    provider: asks,
    workflow: 'starts',
  },
  PublishNews: {
    entry: 'functions/events/publish-news.ts',
    description: 'Numbers the news in the ledger’s stream, and publishes it as events',
    timeoutSeconds: 60,
    ledger: ['read', 'readMany', 'keepEvents'],
  },
  PublishOverdue: {
    entry: 'functions/events/publish-overdue.ts',
    description: 'Publishes the news that the stream left over',
    timeoutSeconds: 240,
    ledger: ['read', 'readMany', 'keepEvents', 'readIndexes'],
  },
  NotifyPeople: {
    entry: 'functions/events/notify-people.ts',
    description: 'Writes notices for people: a batch has ended, or waits for a person or money',
    timeoutSeconds: 60,
    ledger: ['read'],
  },
  DeliverEvents: {
    entry: 'functions/events/deliver-events.ts',
    description: 'Posts events to the merchant’s address',
    // One round posts its events concurrently, each within ten seconds.
    timeoutSeconds: 30,
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;
