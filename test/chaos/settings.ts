import Big from 'big.js';
import type { PayoutRow } from './payout-rows.ts';
import type { ServiceFault } from './run/service-client.ts';

/** Seconds before a request to the provider is given up. */
const httpTimeoutSeconds = 5;

/** A stalled answer comes after the one who waits for it has given up. */
export const stallMs = httpTimeoutSeconds * 1000 + 1000;

/**
 * Less time than functions have on AWS, so that one that stands still is ended soon. SubmitChunk posts only while it has
 * the HTTP timeout and both its margins left, 5 + 15 + 15 s, and sends nothing later than 20 s before its end: 20 s after
 * it began. Convert sends its one POST as soon as it is claimed. Follow begins nothing in its last 60 s.
 */
export const chaosFunctionSeconds = { SubmitChunk: 40, Convert: 40, Follow: 90 } as const;

/**
 * Waits as short as they can be without a lie. A payout that is nowhere to be found may be submitted again after three
 * looks, each at least `resolveAfterSeconds` after the one before and the first as long after the call: 30 s at the
 * soonest and 70 s as a rule. A POST has ended 25 s after its function began.
 */
const orchestrator = {
  httpTimeoutSeconds,
  resolveAfterSeconds: 10,
  pollFirstSeconds: 3,
  pollMaxSeconds: 10,
  // Few, so that executions hand over to the next in the middle of everything.
  sweepsPerExecution: 12,
  onHoldFollowMinutes: 0.5,
  pausedRecheckSeconds: 4,
  fundsRecheckSeconds: 4,
  // The token that payouts are made in as well: its balance moves while a conversion is in doubt.
  conversionSources: ['usdc-polygon', 'usdt-tron'],
} as const;

/**
 * Part of what the batches pay in a currency that its balance opens with. The largest batch is two fifths: rupiah are there
 * for the one that comes first, pesos for none.
 */
const openingParts = { IDR: 0.45, PHP: 0.3 } as const;

/** Whole units of each token, which all conversions together need less of. */
const openingTokens = { 'usdc-polygon': '1000000', 'usdt-tron': '1000000' } as const;

type Paid = Pick<PayoutRow, 'amount' | 'currency'>;

/** What the merchant has at first. Too little of both fiat currencies, so that the batches have to convert. */
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

/** Everything settles within seconds; webhooks are tried again soon. */
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
 * Faults of the service itself, a tenth of all requests together; those of the network come on top. All kinds there are but
 * `reference-twice`: a service that pays twice of itself what it was asked once is not the orchestrator's to prevent.
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
 * Batches as small as these need one chunk each. The gateway takes 30 requests a second, 60 at once, which is more than this
 * machine can answer and less than a burst; functions have the time that they are deployed with.
 */
export const loadSettings = {
  settings: {
    submitsAtOnce: '2',
    apiRequestsPerSecond: '30',
    orchestrator: JSON.stringify({ pollFirstSeconds: 5, pollMaxSeconds: 30, onHoldFollowMinutes: 0 }),
    paymentService: JSON.stringify({ settlement: { minSeconds: 1, maxSeconds: 4, waves: 2 } }),
  },
  functionSeconds: {},
  // As many functions at once as the machine has memory for, at some 90 MB each: a local AWS has no other bound.
  environment: { LAMBDA_ACCOUNT_CONCURRENCY: '200', LAMBDA_WARM_TTL_SECONDS: '20' },
  stallMs: 0,
} as const;
