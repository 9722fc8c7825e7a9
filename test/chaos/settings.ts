import Big from 'big.js';
import type { PayoutRow } from './payout-rows.ts';
import type { ServiceFault } from './run/service-client.ts';

/** Timeout in seconds of a request to the provider. */
const httpTimeoutSeconds = 5;

/** A stalled answer comes after its client's timeout. */
export const stallMs = httpTimeoutSeconds * 1000 + 1000;

/**
 * Shorter timeouts than on AWS, so that a frozen function ends soon. SubmitChunk posts only while the HTTP timeout and both
 * margins remain, 5 + 15 + 15 s. It sends nothing later than 20 s before its end, which is 20 s after it began. Convert sends its
 * one POST immediately after the claim. Follow begins nothing in its last 60 s.
 */
export const chaosFunctionSeconds = { SubmitChunk: 40, Convert: 40, Follow: 90 } as const;

/**
 * The shortest waits that are still safe. A payout that the provider does not show may be submitted again after three looks.
 * They are at least `resolveAfterSeconds` apart, the first as long after the call. That takes at least 30 s, and usually 70
 * s. A POST has ended 25 s after its function began.
 */
const orchestrator = {
  httpTimeoutSeconds,
  resolveAfterSeconds: 10,
  pollFirstSeconds: 3,
  pollMaxSeconds: 10,
  // Low, so that executions hand over in the middle of everything.
  sweepsPerExecution: 12,
  onHoldFollowMinutes: 0.5,
  pausedRecheckSeconds: 4,
  fundsRecheckSeconds: 4,
  // Includes a token in which payouts are made, so that its balance moves while a conversion is in doubt.
  conversionSources: ['usdc-polygon', 'usdt-tron'],
} as const;

/**
 * Opening balances as shares of the sums that the batches pay. The batches pay 40, 35 and 25 percent, so the rupiah suffice for
 * any one of them, and the pesos only for the smallest.
 */
const openingParts = { IDR: 0.45, PHP: 0.3 } as const;

/** Whole units of each token, more than all conversions together need. */
const openingTokens = { 'usdc-polygon': '1000000', 'usdt-tron': '1000000' } as const;

type Paid = Pick<PayoutRow, 'amount' | 'currency'>;

/** The merchant's opening balances. Both fiat currencies are short, so the batches have to convert. */
const openingBalances = (rows: readonly Paid[]): Readonly<Record<string, string>> => {
  const part = ([currency, part]: readonly [string, number]): readonly [string, string] => {
    const paid = rows.filter((row) => row.currency === currency).map(({ amount }) => amount);
    return [
      currency,
      paid
        .reduce((sum, amount) => sum.plus(amount), new Big(0))
        .times(part)
        .toFixed(0),
    ];
  };
  return { ...openingTokens, ...Object.fromEntries(Object.entries(openingParts).map(part)) };
};

/** Everything settles within seconds, and webhooks are retried soon. */
const paymentService = {
  settlement: { minSeconds: 1, maxSeconds: 4, waves: 2 },
  webhooks: { waitsSeconds: [1, 2, 2, 4] },
} as const;

/** CDK context of a run that pays these rows. */
export const chaosSettings = (rows: readonly Paid[]): Readonly<Record<string, string>> => ({
  submitsAtOnce: '5',
  apiRequestsPerSecond: '200',
  watchMinutes: '1',
  provider: JSON.stringify({ kind: 'sandbox', traits: { payoutsPerCall: 9 } }),
  orchestrator: JSON.stringify(orchestrator),
  paymentService: JSON.stringify({
    ...paymentService,
    merchants: [
      { clientId: 'sandbox-merchant', organizationName: 'Sandbox Merchant', balances: openingBalances(rows) },
    ],
  }),
});

const everywhere = (fault: string, probability: number, seconds?: number): ServiceFault => ({
  endpoint: '*',
  fault,
  probability,
  ...(seconds === undefined ? {} : { seconds }),
});

const webhook = (fault: string, probability: number, seconds?: number): ServiceFault => ({
  ...everywhere(fault, probability, seconds),
  endpoint: 'disbursement.updated',
});

/**
 * Faults of the service itself, a tenth of all requests in total. The network's faults come on top. Every kind is included except
 * `reference-twice`: the orchestrator cannot prevent a service from paying one request twice.
 */
export const serviceFaults: readonly ServiceFault[] = [
  everywhere('slow', 0.01, httpTimeoutSeconds + 2),
  everywhere('refuse-credentials', 0.002),
  everywhere('rate-limit', 0.015),
  everywhere('drop-before', 0.01),
  everywhere('error-before', 0.015),
  everywhere('drop-after', 0.015),
  everywhere('error-after', 0.015),
  everywhere('unparsable', 0.01),
  everywhere('contradiction', 0.01),
  everywhere('items-missing', 0.02),
  everywhere('items-reordered', 0.02),
  everywhere('lookup-lag', 0.02, 20),
  { endpoint: 'POST /v2/disbursement/fiat', fault: 'change-after-end', probability: 0.01 },
  webhook('webhook-duplicate', 0.3),
  webhook('webhook-disorder', 0.1, 5),
  webhook('webhook-late', 0.1, 20),
  webhook('webhook-forged', 0.2),
];

/**
 * Batches this small need one chunk each. The gateway takes 30 requests per second and bursts of 60: more than this machine can
 * answer, and less than our burst. Functions keep their deployed timeouts.
 */
export const loadSettings = {
  settings: {
    submitsAtOnce: '2',
    apiRequestsPerSecond: '30',
    orchestrator: JSON.stringify({ pollFirstSeconds: 5, pollMaxSeconds: 30, onHoldFollowMinutes: 0 }),
    paymentService: JSON.stringify({ settlement: { minSeconds: 1, maxSeconds: 4, waves: 2 } }),
  },
  functionSeconds: {},
  // As many concurrent functions as the machine has memory for, at about 90 MB each. A local AWS has no other limit.
  environment: { LAMBDA_ACCOUNT_CONCURRENCY: '200', LAMBDA_WARM_TTL_SECONDS: '20' },
  stallMs: 0,
} as const;
