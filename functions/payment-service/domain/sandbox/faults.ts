import type { Decimal } from '../money/decimal.ts';
import { isLess } from '../money/decimal.ts';

/** What a merchant can have go wrong in its sandbox, on purpose. The table in FAULTS.md says what each does. */
export const faults = [
  'slow',
  'refuse-credentials',
  'rate-limit',
  'drop-before',
  'error-before',
  'drop-after',
  'error-after',
  'unparsable',
  'contradiction',
  'items-missing',
  'items-reordered',
  'lookup-lag',
  'change-after-end',
  'reference-twice',
  'webhook-duplicate',
  'webhook-disorder',
  'webhook-late',
  'webhook-forged',
] as const;
export type Fault = (typeof faults)[number];

/** A fault that was asked for. It strikes by chance, or a number of times. */
export interface FaultRule {
  /** `POST /v2/disbursement/fiat`, the type of a webhook, or `*` for all. */
  readonly endpoint: string;
  readonly fault: Fault;
  /** Above 0, at most 1: of each request or webhook. */
  readonly probability?: Decimal | undefined;
  /** How many are still to be struck; only where there is no probability. */
  readonly left?: number | undefined;
  readonly seconds?: number | undefined;
}

/** A rule as the merchant set it, with how often it has struck. */
export interface SetFault extends FaultRule {
  readonly injected: number;
}

export type FaultCounts = Readonly<Partial<Record<Fault, number>>>;

interface Seconds {
  /** What counts where the merchant says nothing. */
  readonly usual: number;
  readonly atMost: number;
}

/** With the work itself, less than the 28 seconds of a function; more than the 25 for which the usual client waits. */
const longestSilence = 26;

/** The longest that a message of SQS can be delayed. */
const longestDelay = 900;

/** The faults that take a time, in seconds. */
const times: Readonly<Partial<Record<Fault, Seconds>>> = {
  slow: { usual: 3, atMost: longestSilence },
  'rate-limit': { usual: 1, atMost: 3600 },
  'drop-before': { usual: 0, atMost: longestSilence },
  'drop-after': { usual: 0, atMost: longestSilence },
  'lookup-lag': { usual: 5, atMost: 3600 },
  'webhook-disorder': { usual: 5, atMost: longestDelay },
  'webhook-late': { usual: 60, atMost: longestDelay },
};

const webhookTypes = ['disbursement.updated', 'deposit.updated'] as const;

const lookups = [
  'GET /v1/disbursement/fiat/:',
  'GET /v1/disbursement/crypto/:',
  'GET /v1/disbursement/fiat/:/report',
  'GET /v1/deposit/fiat/:',
  'GET /v1/deposit/crypto/:',
  'GET /v1/deposit/:',
];
const cryptoCreation = 'POST /v1/disbursement/crypto';

/** Where the faults strike that cannot strike everywhere. */
const places: Readonly<Partial<Record<Fault, readonly string[]>>> = {
  'lookup-lag': lookups,
  'change-after-end': ['POST /v2/disbursement/fiat', 'POST /v1/disbursement/fiat', cryptoCreation],
  'reference-twice': [cryptoCreation],
  'webhook-duplicate': webhookTypes,
  'webhook-disorder': webhookTypes,
  'webhook-late': webhookTypes,
  'webhook-forged': webhookTypes,
};

/** The same for one endpoint however its parameters are called: `GET /v1/deposit/:`. */
export const endpointKey = (endpoint: string): string => endpoint.replaceAll(/\/(?::\w*|\{\w*\})/g, '/:');

/**
 * Why a rule cannot be; undefined when it can.
 *
 * @param endpoints keys of those that answer merchants
 */
export const complaintAbout = (rule: FaultRule, endpoints: readonly string[]): string | undefined => {
  const { fault, probability, left, seconds } = rule;
  if ((probability === undefined) === (left === undefined)) return 'exactly one of probability and next is required';
  if (probability !== undefined && isLess('1', probability)) return 'probability is at most 1';
  const time = times[fault];
  if (seconds !== undefined && time === undefined) return `${fault} takes no seconds`;
  if (seconds !== undefined && seconds > (time?.atMost ?? 0)) return `${fault} takes ${time?.atMost} seconds at most`;
  if (rule.endpoint === '*') return undefined;
  const key = endpointKey(rule.endpoint);
  const possible = places[fault] ?? endpoints;
  if (possible.includes(key)) return undefined;
  const known = endpoints.includes(key) || webhookTypes.some((type) => type === key);
  return known ? `${fault} cannot strike ${rule.endpoint}` : `there is no endpoint ${rule.endpoint}`;
};

export interface Struck {
  readonly fault: Fault;
  readonly seconds: number;
}

/**
 * Asks whether a fault strikes here and now; where it does, that is counted. Undefined when it does not.
 *
 * @param applies whether it would be felt: what would not is not counted
 */
export type Strike = (fault: Fault, applies?: (struck: Struck) => boolean) => Promise<Struck | undefined>;

/** Where nobody asked for faults. */
export const nothingStrikes: Strike = async () => undefined;

/** A fault that may strike, and by what it was asked for: a rule of the merchant's list, or a magic reference. */
export interface PlannedFault extends FaultRule {
  readonly source: { readonly place: number } | { readonly reference: string };
}

/** The rules of the merchant's list that are about an endpoint or a type of webhook. */
export const plannedFor = (rules: readonly FaultRule[], endpoint: string): readonly PlannedFault[] =>
  rules
    .map((rule, place) => ({ ...rule, source: { place } }))
    .filter((rule) => rule.endpoint === '*' || endpointKey(rule.endpoint) === endpointKey(endpoint));

export interface StrikePorts {
  /** From 0 to 1. */
  readonly random: () => number;
  /** Counts one strike. False when it must not be: there are none left, or the merchant has set other faults. */
  readonly take: (planned: PlannedFault) => Promise<boolean>;
}

/** How these faults strike. Only one that does costs a write. */
export const strikeBy =
  ({ random, take }: StrikePorts, planned: readonly PlannedFault[]): Strike =>
  async (fault, applies = () => true) => {
    for (const one of planned) {
      const struck = { fault, seconds: one.seconds ?? times[fault]?.usual ?? 0 };
      if (one.fault !== fault || one.left === 0 || !applies(struck)) continue;
      if (one.probability !== undefined && random() >= Number(one.probability)) continue;
      if (await take(one)) return struck;
    }
    return undefined;
  };
