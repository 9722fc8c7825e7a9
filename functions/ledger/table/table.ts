/**
 * The ledger's table, for the infra and the ledger. Names only, so that the CDK app and the tests can read them without the AWS
 * SDK. All key attributes are strings.
 */
export const ledgerTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Only webhooks, their signed messages and lookups, debts, numbered events and provider checks have it. */
  timeToLive: 'expiresAt',
  stream: 'NEW_IMAGE',
  indexes: {
    /** Batches of one UTC day, in order of creation. Only batch items have `day`. */
    batchesByDay: {
      name: 'batches-by-day',
      partitionKey: 'day',
      sortKey: 'createdAtAndId',
      projection: 'ALL',
    },
    /**
     * Unfinished items: batches that have not ended, due reconciliations, news without a number, and batches with unpublished
     * events. Sparse: a finished item loses `open`, or is deleted. Keys only, because each item is read before it is acted on.
     */
    open: { name: 'open', partitionKey: 'open', sortKey: 'sk', projection: 'KEYS_ONLY' },
    /**
     * Payouts to a destination, the newest batch last: batch ids sort by time. Only payouts have a destination. Both keys are
     * written once, so a payout costs one more unit, however often it moves.
     */
    payoutsByDestination: {
      name: 'payouts-by-destination',
      partitionKey: 'destinationHash',
      sortKey: 'batchId',
      projection: 'KEYS_ONLY',
    },
  },
} as const;

/** Stream filter for webhooks that arrived, for the first time or again. Nothing else wakes the function. */
export const storedWebhookFilter = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { sk: { S: ['WEBHOOK'] } } },
} as const;

/** The value of `open` that indexes news without a number. */
export const openNews = 'NEWS';

/** Stream filter for newly written news. It skips news that was numbered, and everything else. */
export const newsFilter = {
  eventName: ['INSERT'],
  dynamodb: { NewImage: { open: { S: [openNews] } } },
} as const;

/** The prefixes of partition keys, for grants by `dynamodb:LeadingKeys`. */
export const partitionPrefixes = {
  batch: 'BATCH#',
  chunk: 'CHUNK#',
  progress: 'PROGRESS#',
  reference: 'REF#',
  funds: 'FUNDS#',
  webhook: 'WEBHOOK#',
  lookup: 'LOOKUP#',
  idempotency: 'IDEMPOTENCY#',
  file: 'FILE#',
  content: 'CONTENT#',
  debts: 'DEBTS#',
  released: 'RELEASED#',
  pace: 'PACE#',
  providerCheck: 'PROVIDER#',
  events: 'EVENTS#',
} as const;
