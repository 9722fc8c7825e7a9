import * as z from 'zod';

const decimal = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/, 'a decimal number in a string, such as "12.5"');

/** What a sandbox merchant has at first. Baht is short on purpose: paying baht needs a conversion. */
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

/** What a merchant's account has enabled: all there is, or what is named. */
const enabled = z.union([z.literal('all'), z.array(z.string())]).default('all');

const merchant = z.strictObject({
  clientId: z.string().regex(/^[a-z0-9-]{4,40}$/),
  organizationName: z.string().min(1).max(80),
  /** What a sandbox merchant opens with, by currency; what is not named, and outside a sandbox everything, opens at zero. */
  balances: z.record(z.string(), decimal).default({}),
  /** Whether checkouts can be created. */
  checkout: z.boolean().default(true),
  /** Codes of deposit payment methods. */
  depositMethods: enabled,
  /** Pairs that deposits and conversions may change, in either direction: `usdt-tron/THB`; for deposits also `PHP/THB`. */
  conversions: enabled,
});

export type MerchantSettings = z.infer<typeof merchant>;

/**
 * The first has everything. So has the second, to show that merchants do not see each other, and to try what would disturb
 * the first. The third has nothing that can be switched off.
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

/** The secret with a merchant's `clientId`, `clientSecret`, `apiKey` and `webhookSecret`. */
export const credentialsSecretName = (
  settings: Pick<PaymentServiceSettings, 'credentialsPrefix'>,
  clientId: string,
): string => `${settings.credentialsPrefix}/${clientId}`;

/** The merchant that the orchestrator pays from. */
export const firstMerchant = ({ merchants }: Pick<PaymentServiceSettings, 'merchants'>): MerchantSettings => {
  const [first] = merchants;
  if (first === undefined) throw new Error('there is no merchant');
  return first;
};

/**
 * The longest that a webhook can wait for its next attempt. SQS hides a message for 12 hours (43,200 s) at most, counted
 * from when it was received; what is left of that is for the attempt itself, which takes 45 s at most.
 */
export const longestWaitSeconds = 43_000;

/** A page's records are read in one round. */
export const largestPage = 100;

/** The references of one POST are reserved in one transaction, which holds 100 items. */
export const largestBatch = 100;

/** How the payment service behaves. Every key has a default; infra hands the whole object to its functions as JSON. */
export const paymentServiceSettings = z.strictObject({
  /** Only a sandbox answers status updates, honours magic values and knows made-up recipients. */
  sandbox: z.boolean().default(true),
  /** Who has an account. The first is the one that the orchestrator of this repository pays from. */
  merchants: z
    .array(merchant)
    .min(1)
    .max(10)
    .refine((all) => new Set(all.map(({ clientId }) => clientId)).size === all.length, 'a clientId is there twice')
    .prefault(sandboxMerchants),
  /** Where the merchants' secrets are in Secrets Manager: `<prefix>/<clientId>`. */
  credentialsPrefix: z
    .string()
    .regex(/^[A-Za-z0-9/_.-]{1,200}$/)
    .default('payment-service/merchants'),
  /** A disbursement settles this long after its creation, spread over `waves` moments between the two ends. */
  settlement: z
    .strictObject({
      minSeconds: z.int().min(1).max(900).default(2),
      maxSeconds: z.int().min(1).max(900).default(8),
      waves: z.int().min(1).max(10).default(3),
      /** What the magic value "late" waits. */
      lateSeconds: z.int().min(1).max(86_400).default(60),
    })
    .refine((settlement) => settlement.minSeconds <= settlement.maxSeconds, 'minSeconds is above maxSeconds')
    .prefault({}),
  deposits: z
    .strictObject({
      /** How long a deposit can be paid. */
      fiatExpirySeconds: z.int().min(1).max(86_400).default(3600),
      cryptoExpirySeconds: z.int().min(1).max(86_400).default(3600),
      /** What the magic references `autopay…` and `expire…` wait. */
      autopaySeconds: z.int().min(1).max(86_400).default(5),
    })
    .prefault({}),
  checkout: z
    .strictObject({
      /** From the creation of a checkout until its page is of no use any more, nor the deposit it made. */
      validitySeconds: z.int().min(1).max(86_400).default(900),
    })
    .prefault({}),
  quoteValiditySeconds: z.int().min(1).max(86_400).default(300),
  /** Percent of the converted amount, taken in the output currency. */
  conversionFeePercentage: decimal.default('0.5'),
  /** Rates that replace those of domain/conversions/rates.ts, by `<token>/<fiat>`: `{"usdt-tron/THB": "34.1"}`. */
  rates: z.record(z.string(), decimal).default({}),
  defaultPageSize: z.int().min(1).max(largestPage).default(10),
  maximumPageSize: z.int().min(1).max(largestPage).default(largestPage),
  /** Items in one POST. */
  batchSizeLimit: z.int().min(1).max(largestBatch).default(largestBatch),
  maximumBodyBytes: z.int().min(1024).max(1_000_000).default(262_144),
  /** Lets a crypto reference be used more than once, as the document hints may happen. Fiat references never are. */
  reusableCryptoReferences: z.boolean().default(false),
  webhooks: z
    .strictObject({
      /**
       * Also tell what disbursements go through by themselves; otherwise only their sandbox updates are told, which is all
       * the document promises. Of deposits, payment and sandbox updates are told whatever this says.
       */
      everyChange: z.boolean().default(false),
      timeoutSeconds: z.int().min(1).max(30).default(10),
      /**
       * Between the first attempt and the second, the second and the third, and so on; after one attempt more than there
       * are waits a webhook is given up. By default nine attempts over 5 + 60 + 300 + 1,800 + 7,200 + 18,000 + 36,000 +
       * 36,000 = 99,365 s, which is 27.6 hours. At most twenty: 20 × 43,000 s are ten days, and the queue forgets after 14.
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
