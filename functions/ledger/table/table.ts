/**
 * The ledger's table as the infra makes it and the verbs use it: names only, so that the CDK app and the tests can read
 * them without the AWS SDK. All key attributes are strings.
 */
export const ledgerTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds; only webhooks carry it, when a payout was last asked about for one, debts, events once they are numbered, and checks of the provider. */
  timeToLive: 'expiresAt',
  stream: 'NEW_IMAGE',
  indexes: {
    /** Batches of one UTC day, in order of creation. Only batch items carry `day`. */
    batchesByDay: {
      name: 'batches-by-day',
      partitionKey: 'day',
      sortKey: 'createdAtAndId',
      projection: 'ALL',
    },
    /** What is not done yet. Sparse: a batch carries `open` until it has ended, a comparison until it is made. Keys alone: each is read before it is acted on. */
    open: { name: 'open', partitionKey: 'open', sortKey: 'sk', projection: 'KEYS_ONLY' },
    /**
     * What a destination was paid, the newest batch last: ids of batches sort by time. Only payouts carry a destination. Both keys
     * are written once, so that a payout costs one unit more, however often it moves.
     */
    payoutsByDestination: {
      name: 'payouts-by-destination',
      partitionKey: 'destinationHash',
      sortKey: 'batchId',
      projection: 'KEYS_ONLY',
    },
  },
} as const;

/**
 * Event source filter of the stream for webhooks that arrived, for the first time or again: everything else never wakes a
 * function.
 */
export const storedWebhookFilter = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { sk: { S: ['WEBHOOK'] } } },
} as const;

/** The value of `open` of what is to be told outside and has no number yet. */
export const openNews = 'NEWS';

/** Event source filter of the stream for news: only what was just written, and neither what was numbered nor anything else. */
export const newsFilter = {
  eventName: ['INSERT'],
  dynamodb: { NewImage: { open: { S: [openNews] } } },
} as const;

/** What the partition keys start with, for grants by `dynamodb:LeadingKeys`. */
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
