import * as z from 'zod';
import { currencyCode, decimalsOf, railOf } from './money/currency.ts';
import { once } from './once.ts';

const percentText = once(() =>
  z.string().regex(/^\d{1,2}(\.\d+)?$/, 'a percentage below 100 in a string, such as "1.5"'),
);

/**
 * A currency's code in its only spelling: a limit for `idr` would never be compared with a batch in IDR.
 *
 * @param described what is wrong with a code that `isAllowed` refuses
 */
const currency = (isAllowed: (code: string) => boolean, described: string) =>
  z.string().superRefine((text, context) => {
    const code = currencyCode(text);
    if (!isAllowed(code)) context.addIssue({ code: 'custom', message: described });
    else if (code !== text) context.addIssue({ code: 'custom', message: `is spelled ${code}` });
  });

/** Exact decimal amounts by currency. Planning refuses rows in a currency of unknown decimals, so it needs no limit. */
const amountsByCurrency = once(() =>
  z
    .record(
      currency((code) => decimalsOf(code) !== undefined, 'is not a currency that a batch can pay'),
      z.string().regex(/^\d{1,40}(\.\d{1,18})?$/, 'a decimal in a string, such as "1250000.50"'),
    )
    .default({}),
);

const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

/** One check per setting. It returns false, or describes the contradiction with another setting: both values and the reason. */
export type Contradictions<Settings> = Readonly<Record<string, (settings: Settings) => string | false>>;

export const refuseContradictions =
  <Settings>(contradictions: Contradictions<Settings>) =>
  (settings: Settings, context: z.RefinementCtx<Settings>): void => {
    for (const [setting, contradiction] of Object.entries(contradictions)) {
      const message = contradiction(settings);
      if (message !== false) context.addIssue({ code: 'custom', path: setting.split('.'), message });
    }
  };

/** Milliseconds reserved for the claim before a POST that moves money, and for writes, lookups and retries after it. */
export const submitMargins = { claimMs: 15_000, recordMs: 15_000 } as const;

/** Maximum milliseconds from a request until its answer is recorded. */
export const requestMs = ({ httpTimeoutSeconds }: Pick<OrchestratorSettings, 'httpTimeoutSeconds'>): number =>
  httpTimeoutSeconds * 1000 + submitMargins.recordMs;

/**
 * Longest wait in seconds before a queued message is tried again. SQS hides a message for at most 12 hours (43,200 s) from its
 * receipt. Ten minutes are left for the attempt itself: ApplyWebhook may take 330 s.
 */
export const longestWaitSeconds = 42_600;

/**
 * The waits between attempts of a queued message. 20 of the longest take 10 days, and the queue deletes the message after 14. So a
 * person has three days' notice.
 */
export const retryWaits = once(() => z.array(z.int().min(1).max(longestWaitSeconds)).min(1).max(20));

/**
 * The most seconds that the waits before three proofs of absence take: 1, 2 and 4 times the first wait. absenceIsDueAt shortens
 * the later ones when the first exceeds two minutes. Every call has ended by then.
 *
 * @param resolveAfterSeconds the setting
 */
export const absenceProofsSeconds = (resolveAfterSeconds: number): number => 7 * resolveAfterSeconds;

/** Each setting with its default. `contradictions` below checks settings against each other. */
const settingFields = once(() =>
  z.strictObject({
    /**
     * Consecutive refusals of single-row calls, in the same words, that pause the batch. A refused call of several rows counts as
     * a tenth. See payout/equal-refusals.ts.
     */
    equalRefusals: z.int().min(1).default(3),
    /** Limit of rows in a payout file, invalid ones included. A workbook has at most 100,000 in any case. */
    maxRows: z.int().min(1).max(1_000_000).default(1_000_000),
    /** Size limit of the uploaded file. */
    maxFileBytes: z.int().min(1).default(1_073_741_824),
    /** Size limit of the unpacked file. It stops a gzip bomb. */
    maxUnpackedBytes: z.int().min(1).default(2_147_483_648),
    /**
     * The provider's bank codes by BIC, for pain.001 files that name banks by BIC only. A BIC has 11 characters, or 8 for all
     * branches.
     */
    bankCodesByBic: z
      .record(z.string().regex(/^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/, 'a BIC such as CENAIDJA'), z.string().min(1).max(40))
      .default({}),
    /**
     * Days in which a row that repeats another batch's debt is found. 0 disables the search, even within the file. Only a
     * correction is still compared with its relatives. The settings at planning decide how long a debt is kept: see
     * payable-until.ts.
     */
    duplicateWindowDays: z.int().min(0).max(90).default(7),
    /** Timeout in seconds of one provider request. Function timeout, task timeout and resolveAfterSeconds nest around it. */
    httpTimeoutSeconds: z.int().min(1).max(30).default(25),
    /**
     * Age in seconds at which a call without an outcome may be looked up by reference. Longer than the task timeout of the steps
     * that POST.
     */
    resolveAfterSeconds: z.int().min(1).max(3600).default(120),
    /** Tokens that may be converted to cover a fiat shortfall, in the order they are tried. */
    conversionSources: z
      .array(currency((code) => railOf(code) !== undefined, 'is not a code such as usdt-tron'))
      .default(['usdt-tron', 'usdc-polygon']),
    /** How many percent the rate at conversion may be worse than the planned rate. */
    maxSlippagePercent: percentText().default('1'),
    /** Shortest and longest wait between two sweeps of a batch, in seconds. See sweepWaitSeconds. */
    pollFirstSeconds: z.int().min(1).default(5),
    pollMaxSeconds: z.int().min(1).default(300),
    /** Days without a change after which a payout that is pending or in doubt is quarantined. */
    followDays: z.number().positive().max(365).default(7),
    /**
     * Sweeps per execution before the next execution takes over. An execution history holds 25,000 events, and a sweep adds at
     * most ten, reports included.
     */
    sweepsPerExecution: z.int().min(1).max(2300).default(2300),
    /** Minutes a batch stays open for a payout that the provider holds for a check. */
    onHoldFollowMinutes: z.number().min(0).default(1440),
    /** Days after a batch's end at which it is compared with the provider's lists. A bank may return completed payouts. */
    reconcileAfterDays: z.array(z.number().positive().max(365)).max(10).default([1, 3, 7]),
    /** Seconds between balance checks while a batch awaits funds. */
    fundsRecheckSeconds: z.int().min(1).default(300),
    /** Hours a batch awaits funds, or the provider's answer, before it is paused for a person. */
    fundsWaitHours: z.number().positive().max(8760).default(72),
    /** Minimum seconds between checks of a paused batch that has nothing open at the provider. */
    pausedRecheckSeconds: z.int().min(1).default(60),
    /** Minutes that payouts may take to reach the provider, while their batch may submit, before a person is notified. */
    readyTooLongMinutes: z.int().min(1).default(60),
    /** Percent by which the provider's fees in one currency may exceed the estimate before a person is notified. */
    feeTolerancePercent: z
      .string()
      .regex(/^\d{1,4}(\.\d+)?$/, 'a percentage in a string, such as "10"')
      .default('10'),
    /** Most that one batch may pay in a currency, without fees. Nobody can release a batch above it. */
    maxBatchAmount: amountsByCurrency(),
    /** Most that one day's batches may pay in a currency without approval, without fees. */
    maxDayAmount: amountsByCurrency(),
    /** Time zone in which days begin and end. */
    limitTimezone: z.string().refine(isTimezone, 'a time zone such as Asia/Jakarta').default('UTC'),
    /** A batch that pays more than this in a currency needs a person's approval. */
    approvalAbove: amountsByCurrency(),
    /**
     * `never`: a batch that only a person may release is refused. `findings`: it needs approval. `always`: every batch needs
     * approval.
     */
    approval: z.enum(['never', 'findings', 'always']).default('findings'),
    /**
     * IAM users and roles that may approve. When empty, everyone except the starter may, but nobody may approve a batch started
     * from the console.
     */
    approvers: z
      .array(
        z
          .string()
          .regex(/^arn:[a-z-]+:(iam::\d{12}:(user|role)|sts::\d{12}:assumed-role)\/\S+$/, 'the ARN of a user or role'),
      )
      .default([]),
    /** Hours until a pending approval expires. */
    approvalHours: z.number().positive().max(8760).default(72),
    /** Lifetime in seconds of a link to a file. */
    fileLinkSeconds: z.int().min(1).max(3600).default(300),
    webhooks: z
      .strictObject({
        /** The provider is asked about a payout or an id at most once in this time, however many webhooks name it. */
        lookupWindowSeconds: z.int().min(1).max(900).default(30),
        /**
         * Waits in seconds between attempts of a hint that could not be applied. It moves to the dead-letter queue after one more
         * attempt than there are waits. The default is twelve attempts over 30 + 60 + 120 + 300 + 600 + 900 + 900 + 1,800 + 1,800 +
         * 3,600 + 3,600 = 13,710 s, 3.8 hours.
         */
        retryWaitsSeconds: retryWaits().default([30, 60, 120, 300, 600, 900, 900, 1800, 1800, 3600, 3600]),
      })
      .prefault({}),
  }),
);

export type OrchestratorSettings = z.infer<ReturnType<typeof settingFields>>;

const contradictions: Contradictions<OrchestratorSettings> = {
  httpTimeoutSeconds: ({ httpTimeoutSeconds: timeout, resolveAfterSeconds: age }) =>
    timeout >= age &&
    `is ${timeout}, and resolveAfterSeconds is ${age}: a call may be looked up only when its request has ended`,
  maxFileBytes: ({ maxFileBytes: packed, maxUnpackedBytes: unpacked }) =>
    packed > unpacked &&
    `is ${packed}, and maxUnpackedBytes is ${unpacked}: an uncompressed file has the same size after unpacking`,
  pollFirstSeconds: ({ pollFirstSeconds: first, pollMaxSeconds: longest }) =>
    first > longest && `is ${first}, and pollMaxSeconds is ${longest}: the waits grow from the first to the longest`,
  pollMaxSeconds: ({ pollMaxSeconds: longest, followDays: days }) =>
    longest > days * 86_400 &&
    `is ${longest}, and followDays is ${days}, ${days * 86_400} s: a payout would be quarantined before its next check`,
  onHoldFollowMinutes: ({ onHoldFollowMinutes: minutes, followDays: days }) =>
    minutes > days * 1440 &&
    `is ${minutes}, and followDays is ${days}, ${days * 1440} minutes: no payout is followed for that long`,
  reconcileAfterDays: ({ reconcileAfterDays: days }) =>
    days.some((day, index) => day <= (days[index - 1] ?? 0)) &&
    `is ${days.join(', ')}: each day must be later than the one before`,
  fundsRecheckSeconds: ({ fundsRecheckSeconds: recheck, fundsWaitHours: hours }) =>
    recheck > hours * 3600 &&
    `is ${recheck}, and fundsWaitHours is ${hours}, ${hours * 3600} s: a batch would be paused before its next balance check`,
  'webhooks.lookupWindowSeconds': ({ webhooks: { lookupWindowSeconds: window, retryWaitsSeconds: waits } }) => {
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    return (
      window > total &&
      `is ${window}, and webhooks.retryWaitsSeconds are ${total} s in all: the attempts to apply a webhook would end before its lookup is allowed`
    );
  },
};

/**
 * How the orchestrator behaves, with a default for every setting. The infra validates the settings at deploy time and passes them
 * to every function as JSON. infra/SETTINGS.md describes each one for users.
 */
export const orchestratorSettings = once(() => settingFields().superRefine(refuseContradictions(contradictions)));
