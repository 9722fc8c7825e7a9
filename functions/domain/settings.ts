import * as z from 'zod';

const decimalText = z.string().regex(/^\d+(\.\d+)?$/, 'a decimal in a string, such as "1.5"');

/**
 * How the orchestrator behaves, with a default for everything. The infra validates it at deploy time and hands it to
 * every function as JSON; the README's settings table describes each for users.
 */
export const orchestratorSettings = z
  .strictObject({
    /**
     * Rows in one provider call and one chunk. A claim moves its payouts in one DynamoDB transaction of at most 100
     * items, two of which are the call itself and the check of the batch: hence 98.
     */
    payoutsPerCall: z.int().min(1).max(98).default(98),
    /** Rows a payout file may have. */
    maxRows: z.int().min(1).max(1_000_000).default(1_000_000),
    /** Bytes of the file as uploaded. */
    maxFileBytes: z.int().min(1).default(1_073_741_824),
    /** Bytes of the file after unpacking: a gzip bomb is cut off here. */
    maxUnpackedBytes: z.int().min(1).default(2_147_483_648),
    /** Page size asked of the provider's disbursement lists; its maximum is not documented. */
    providerPageLimit: z.int().min(1).max(100).default(100),
    /** Seconds before a provider request is given up. Function timeout, task timeout and resolveAfterSeconds nest around it. */
    httpTimeoutSeconds: z.int().min(1).max(30).default(25),
    /** Age in seconds at which a call without an outcome may be looked up by reference. Longer than any task timeout. */
    resolveAfterSeconds: z.int().min(1).max(3600).default(120),
    /** The provider promises that a fiat reference is unique, so a proven absent fiat payout may be submitted again. */
    fiatReferenceUnique: z.boolean().default(true),
    /** Tokens that may be converted to fiat for what is short, in the order they are tried. */
    conversionSources: z.array(z.string()).default(['usdt-tron', 'usdc-polygon']),
    /** How much worse than the planned rate the rate at conversion may be, in percent. */
    maxSlippagePercent: decimalText.default('1'),
    /** First wait between polls in seconds; doubles up to pollMaxSeconds, jittered. */
    pollFirstSeconds: z.int().min(1).default(5),
    pollMaxSeconds: z.int().min(1).default(300),
    /** Days a payout is followed. Bounded by a child's history: 25,000 events, 9 a poll, one poll in 5 minutes = 9.6 days. */
    followDays: z.number().positive().max(9).default(7),
    /** Minutes a chunk waits for payouts the provider holds for a check, once nothing else in it is open. */
    onHoldFollowMinutes: z.number().min(0).default(1440),
    /** Seconds between looks at the balance while a batch awaits funds. */
    fundsRecheckSeconds: z.int().min(1).default(300),
    /** Hours a batch awaits funds before it is paused for a person. */
    fundsWaitHours: z.number().positive().default(72),
    /** Seconds a child waits before it looks again whether a paused batch goes on. */
    pausedRecheckSeconds: z.int().min(1).default(60),
    /** Seconds a link to a report file is valid. */
    fileLinkSeconds: z.int().min(1).max(3600).default(300),
    webhooks: z
      .strictObject({
        /** However many webhooks name a payout, the provider is asked about it once in this time. */
        lookupWindowSeconds: z.int().min(1).max(900).default(30),
        /**
         * Between the tries of a hint that could not be applied; after one try more than there are waits it is set aside. By
         * default twelve tries over 30 + 60 + 120 + 300 + 600 + 900 + 900 + 1,800 + 1,800 + 3,600 + 3,600 = 13,710 s, 3.8 hours.
         */
        retryWaitsSeconds: z
          .array(z.int().min(1).max(43_200))
          .min(1)
          .max(20)
          .default([30, 60, 120, 300, 600, 900, 900, 1800, 1800, 3600, 3600]),
      })
      .prefault({}),
  })
  .refine((settings) => settings.httpTimeoutSeconds < settings.resolveAfterSeconds, {
    message: 'httpTimeoutSeconds must be less than resolveAfterSeconds',
  });

export type OrchestratorSettings = z.infer<typeof orchestratorSettings>;
