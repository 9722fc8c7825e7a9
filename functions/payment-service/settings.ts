import * as z from 'zod';
import { merchantTerms } from './domain/account.ts';
import { isCurrency, isPair } from './domain/money/currencies.ts';
import { isLess, isPositive } from './domain/money/decimal.ts';

const decimal = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/, {
  error: 'a decimal number in a string, such as "12.5"',
  // A refinement could not read it.
  abort: true,
});

/** Much closer to 100, a wanted output would take many steps to gross up. At 100 it would be impossible. */
const largestFeePercentage = '99';

/** The starting balances of a sandbox merchant. Baht is zero on purpose: paying baht needs a conversion. */
const sandboxBalances = {
  IDR: '5000000000',
  PHP: '20000000',
  VND: '10000000000',
  THB: '0',
  SGD: '500000',
  INR: '40000000',
  USD: '250000',
  'usdt-tron': '2000000',
  'usdt-ethereum': '500000',
  'usdc-polygon': '1000000',
  'usdc-ethereum': '500000',
  'eth-ethereum': '500',
  'bnb-bsc': '1000',
};

const merchant = z.strictObject({
  clientId: z.string().regex(/^[a-z0-9-]{4,40}$/),
  organizationName: z.string().min(1).max(80),
  /** A sandbox merchant's starting balances, by currency. Others start at zero, and outside a sandbox all do. */
  balances: z.record(z.string().refine(isCurrency, 'not a currency of the service'), decimal).default({}),
  ...merchantTerms.shape,
});

/**
 * The first merchant has everything enabled. So has the second: it shows that merchants do not see each other, and is
 * free for tests that would disturb the first. The third has every optional feature disabled.
 */
const sandboxMerchants: z.input<typeof merchant>[] = [
  { clientId: 'sandbox-merchant', organizationName: 'Sandbox Merchant', balances: sandboxBalances },
  { clientId: 'sandbox-second', organizationName: 'Second Merchant', balances: sandboxBalances },
  {
    clientId: 'sandbox-basic',
    organizationName: 'Basic Merchant',
    balances: sandboxBalances,
    checkout: false,
    depositMethods: [],
    conversions: [],
  },
];

/** The secret that contains a merchant's `clientId`, `clientSecret`, `apiKey` and `webhookSecret`. */
export const credentialsSecretName = (
  settings: Pick<PaymentServiceSettings, 'credentialsPrefix'>,
  clientId: string,
): string => `${settings.credentialsPrefix}/${clientId}`;

/** The merchant from which the orchestrator pays. */
export const firstMerchant = ({ merchants }: Pick<PaymentServiceSettings, 'merchants'>) => {
  const [first] = merchants;
  if (first === undefined) throw new Error('there is no merchant');
  return first;
};

/**
 * The longest wait before a webhook's next attempt. SQS hides a message for at most 12 hours (43,200 s) from when it
 * was received. The rest of that time is for the attempt itself, which takes at most 45 s.
 */
export const longestWaitSeconds = 43_000;

/** A page's records are read in one request. Disbursements are read with their groups, so in at most two. */
export const largestPage = 100;

/** The references of one POST are reserved in one transaction of at most 100 items. */
export const largestBatch = 100;

/** The settings of the payment service. Every key has a default. Infra passes the object to the functions as JSON. */
export const paymentServiceSettings = z.strictObject({
  /** Only a sandbox has status updates, magic values, invented recipients, opening balances, a payment button and controls. */
  sandbox: z.boolean().default(true),
  /** The merchants with an account. The orchestrator pays from the first. */
  merchants: z
    .array(merchant)
    .min(1)
    .max(10)
    .refine(
      (all) => new Set(all.map(({ clientId }) => clientId)).size === all.length,
      'two merchants have the same clientId',
    )
    .prefault(sandboxMerchants),
  /** Secrets Manager contains each merchant's secret under `<prefix>/<clientId>`. Infra appends `/<stage>` to the prefix. */
  credentialsPrefix: z
    .string()
    .regex(/^[A-Za-z0-9/_.-]{1,200}$/)
    .default('payment-service/merchants'),
  /** A disbursement's first step comes this long after its creation, at one of `waves` moments between the two bounds. */
  settlement: z
    .strictObject({
      minSeconds: z.int().min(1).max(900).default(2),
      maxSeconds: z.int().min(1).max(900).default(8),
      waves: z.int().min(1).max(10).default(3),
      /** The wait of the magic value "late". */
      lateSeconds: z.int().min(1).max(86_400).default(60),
    })
    .refine((settlement) => settlement.minSeconds <= settlement.maxSeconds, 'minSeconds is above maxSeconds')
    .prefault({}),
  deposits: z
    .strictObject({
      /** How long a deposit can be paid. */
      fiatExpirySeconds: z.int().min(1).max(86_400).default(3600),
      cryptoExpirySeconds: z.int().min(1).max(86_400).default(3600),
      /** The wait of the magic references `autopay…` and `expire…`. */
      autopaySeconds: z.int().min(1).max(86_400).default(5),
    })
    .prefault({}),
  checkout: z
    .strictObject({
      /** The validity of a checkout page and its deposit, from the checkout's creation. */
      validitySeconds: z.int().min(1).max(86_400).default(900),
    })
    .prefault({}),
  quoteValiditySeconds: z.int().min(1).max(86_400).default(300),
  /** Percent of the converted amount, taken in the output currency. At most 99. */
  conversionFeePercentage: decimal
    .refine((value) => !isLess(largestFeePercentage, value), `at most ${largestFeePercentage}`)
    .default('0.5'),
  /** Rates that replace those of domain/conversions/rates.ts, by `<token>/<fiat>`: `{"usdt-tron/THB": "34.1"}`. Above 0. */
  rates: z
    .record(
      z.string().refine(isPair, 'not a pair <token>/<fiat> of the service'),
      decimal.refine(isPositive, 'above 0'),
    )
    .default({}),
  defaultPageSize: z.int().min(1).max(largestPage).default(10),
  maximumPageSize: z.int().min(1).max(largestPage).default(largestPage),
  /** The maximum number of items in one POST. */
  batchSizeLimit: z.int().min(1).max(largestBatch).default(largestBatch),
  maximumBodyBytes: z.int().min(1024).max(1_000_000).default(262_144),
  /**
   * Lets the reference of a wallet transfer be used again for another. The public document hints that this can happen. Fiat
   * references never can.
   */
  reusableCryptoReferences: z.boolean().default(false),
  webhooks: z
    .strictObject({
      /**
       * Whether every change is announced. Otherwise deposits announce payments and sandbox updates, and disbursements
       * only sandbox updates. The public document promises no more.
       */
      everyChange: z.boolean().default(false),
      timeoutSeconds: z.int().min(1).max(30).default(10),
      /**
       * The waits after each failed attempt, in seconds. There is one attempt more than there are waits; then the
       * webhook is given up. The default makes nine attempts over 5 + 60 + 300 + 1,800 + 7,200 + 18,000 + 36,000 +
       * 36,000 = 99,365 s, or 27.6 hours. At most twenty waits: 20 × 43,000 s are ten days, and the queue deletes
       * messages after 14.
       */
      waitsSeconds: z
        .array(z.int().min(1).max(longestWaitSeconds))
        .min(1)
        .max(20)
        .refine(
          (waits) => waits.every((wait, index) => wait >= (waits[index - 1] ?? 0)),
          'no wait is shorter than the one before',
        )
        .default([5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000]),
    })
    .prefault({}),
  requestsPerSecond: z.int().min(1).max(10_000).default(100),
});

export type PaymentServiceSettings = z.infer<typeof paymentServiceSettings>;
