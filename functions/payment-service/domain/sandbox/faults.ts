import * as z from 'zod';
import { isLess } from '../money/decimal.ts';

/** Together with the work it is below the function's 28 seconds. It is above the 25 that the usual client waits. */
const longestSilence = 26;

/** SQS's maximum delay of a message. */
const longestDelay = 900;

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
const creations = ['POST /v2/disbursement/fiat', 'POST /v1/disbursement/fiat', cryptoCreation];

interface Traits {
  /** The time that it takes, in seconds. The usual one applies when the merchant gives none. */
  readonly time?: { readonly usual: number; readonly atMost: number };
  /** Where it can strike, if not everywhere. */
  readonly places?: readonly string[];
}

/** The faults that a merchant can provoke in its sandbox. FAULTS.md describes what each one does. */
const table = [
  ['slow', { time: { usual: 3, atMost: longestSilence } }],
  ['refuse-credentials', {}],
  ['rate-limit', { time: { usual: 1, atMost: 3600 } }],
  ['drop-before', { time: { usual: 0, atMost: longestSilence } }],
  ['error-before', {}],
  ['drop-after', { time: { usual: 0, atMost: longestSilence } }],
  ['error-after', {}],
  ['unparsable', {}],
  ['contradiction', {}],
  ['items-missing', {}],
  ['items-reordered', {}],
  ['lookup-lag', { time: { usual: 5, atMost: 3600 }, places: lookups }],
  ['change-after-end', { places: creations }],
  ['reference-twice', { places: [cryptoCreation] }],
  ['webhook-duplicate', { places: webhookTypes }],
  ['webhook-disorder', { time: { usual: 5, atMost: longestDelay }, places: webhookTypes }],
  ['webhook-late', { time: { usual: 60, atMost: longestDelay }, places: webhookTypes }],
  ['webhook-forged', { places: webhookTypes }],
] as const satisfies readonly (readonly [string, Traits])[];

export const faults = table.map(([fault]) => fault);
export type Fault = (typeof faults)[number];

const traits: ReadonlyMap<Fault, Traits> = new Map<Fault, Traits>(table);

/** A fault that the merchant asked for. It strikes at random, or a fixed number of times. */
const faultRule = z.object({
  /** `POST /v2/disbursement/fiat`, a webhook type, or `*` for all. */
  endpoint: z.string(),
  fault: z.enum(faults),
  /** A decimal above 0 and at most 1, per request or webhook. */
  probability: z.string().optional(),
  /** How many strikes are left. Set only when there is no probability. */
  left: z.number().optional(),
  seconds: z.number().optional(),
});
export type FaultRule = z.infer<typeof faultRule>;

/** A rule as the merchant set it, and how often it has struck. */
export const setFault = faultRule.extend({ injected: z.number() });

/** The same key for an endpoint whatever its parameters are called: `GET /v1/deposit/:`. */
export const endpointKey = (endpoint: string): string => endpoint.replaceAll(/\/(?::\w*|\{\w*\})/g, '/:');

/**
 * The reason why a rule is invalid. Undefined when it is valid.
 *
 * @param endpoints keys of the endpoints that answer merchants
 */
export const complaintAbout = (rule: FaultRule, endpoints: readonly string[]): string | undefined => {
  const { fault, probability, left, seconds } = rule;
  if ((probability === undefined) === (left === undefined)) return 'exactly one of probability and next is required';
  if (probability !== undefined && isLess('1', probability)) return 'probability is at most 1';
  const { time, places } = traits.get(fault) ?? {};
  if (seconds !== undefined && time === undefined) return `${fault} takes no seconds`;
  if (seconds !== undefined && seconds > (time?.atMost ?? 0)) return `${fault} takes ${time?.atMost} seconds at most`;
  if (rule.endpoint === '*') return undefined;
  const key = endpointKey(rule.endpoint);
  const possible = places ?? endpoints;
  if (possible.includes(key)) return undefined;
  const known = endpoints.includes(key) || webhookTypes.some((type) => type === key);
  return known ? `${fault} cannot strike ${rule.endpoint}` : `there is no endpoint ${rule.endpoint}`;
};

export interface Struck {
  readonly seconds: number;
}

/**
 * Asks whether a fault strikes now, and counts it if so. Undefined when it does not strike.
 *
 * @param applies whether the strike would have an effect. A strike without one is not counted.
 */
export type Strike = (fault: Fault, applies?: (struck: Struck) => boolean) => Promise<Struck | undefined>;

/** For requests without faults. */
export const nothingStrikes: Strike = async () => undefined;

/** A fault that may strike, and its source: a rule in the merchant's list, or a magic reference. */
export interface PlannedFault extends FaultRule {
  readonly source: { readonly place: number } | { readonly reference: string };
}

/** The merchant's rules for an endpoint or a webhook type. */
export const plannedFor = (rules: readonly FaultRule[], endpoint: string): readonly PlannedFault[] =>
  rules
    .map((rule, place) => ({ ...rule, source: { place } }))
    .filter((rule) => rule.endpoint === '*' || endpointKey(rule.endpoint) === endpointKey(endpoint));

interface StrikePorts {
  /** From 0 to 1. */
  readonly random: () => number;
  /** Counts one strike. False when none are left, or when the merchant has set other faults since. */
  readonly take: (planned: PlannedFault) => Promise<boolean>;
}

/** Decides whether these faults strike. Only a strike costs a write, except for magic references that are used up. */
export const strikeBy =
  ({ random, take }: StrikePorts, planned: readonly PlannedFault[]): Strike =>
  async (fault, applies = () => true) => {
    for (const one of planned) {
      const struck = { seconds: one.seconds ?? traits.get(fault)?.time?.usual ?? 0 };
      if (one.fault !== fault || one.left === 0 || !applies(struck)) continue;
      if (one.probability !== undefined && random() >= Number(one.probability)) continue;
      if (await take(one)) return struck;
    }
    return undefined;
  };
