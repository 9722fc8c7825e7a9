import type { Chance } from '../../support/chance.ts';
import { chanceOf } from '../../support/chance.ts';
import type { Aim, Storm } from './storms.ts';
import { drawStorm } from './storms.ts';

/** Faults of a request to the provider. */
export const requestFaults = [
  'not_sent',
  'drop_before',
  'drop_after',
  'slow',
  'work_after_timeout',
  'error_before',
  'error_after',
  'rate_limit',
  'unreadable',
  'contradiction_after',
  'contradiction_before',
  'items_missing',
  'items_reordered',
  'gateway_404',
  'gateway_403',
  'gateway_403_after',
] as const;
export type RequestFault = (typeof requestFaults)[number];

/** Probabilities of all faults of a run, while they last. */
export interface Weather {
  /** Milliseconds since 1970 at which faults end, so that every run has an end. */
  readonly until: number;
  /** For a process at each await on a port: it dies before or after the effect. */
  readonly crash: number;
  /** For an invocation: another one with the same input starts, immediately or within its timeout. */
  readonly twin: number;
  /** For an invocation: Lambda refuses to start it. */
  readonly refused: number;
  /** For an await on a port: it takes long, up to minutes. */
  readonly slow: number;
  /** Many more faults for a while. */
  readonly storm: Storm | undefined;
  /** In milliseconds since 1970. Meanwhile the provider answers nothing but 5xx. Early, when batches are being funded. */
  readonly outage: { readonly from: number; readonly until: number } | undefined;
  readonly ledger: {
    readonly throttled: number;
    readonly conflict: number;
    readonly errorBefore: number;
    readonly errorAfter: number;
    /** The answer is lost and the SDK repeats the request. */
    readonly answerLost: number;
    /** For an eventually consistent read: it misses the last change. */
    readonly behind: number;
  };
  readonly filesError: number;
  readonly workflowError: number;
  readonly request: Readonly<Record<RequestFault, number>>;
  /** For a conversion's POST, which few runs make: a gateway refuses it on the way back. */
  readonly conversionRefused: number;
  readonly webhook: {
    readonly sent: number;
    readonly duplicated: number;
    readonly late: number;
    /** For each change of a payment: someone else sends a false webhook about it. */
    readonly forged: number;
    /** True when the provider's webhooks contain no reference. */
    readonly idsAlone: boolean;
  };
}

/** No fault in two thirds of the runs, else rare or frequent ones. So each kind occurs alone and with others. */
const drawn = (chance: Chance, most: number): number => {
  if (!chance.happens(0.35)) return 0;
  return chance.happens(0.5) ? most * chance.next() : (most / 10) * chance.next();
};

const drawOutage = (chance: Chance, start: number): Weather['outage'] => {
  if (!chance.happens(0.2)) return undefined;
  const from = start + chance.int(0, 120) * 1000;
  return { from, until: from + chance.int(1, 20) * 60_000 };
};

/** Weather without faults. */
export const fairWeather = (now: number): Weather => {
  const never: Chance = { ...chanceOf(0), happens: () => false, fork: () => never };
  return { ...drawWeather(never, now, { isRush: false, isLeftPaused: false }), until: now };
};

/** A rush has a storm over the functions that reserve money, a story its own. */
export const drawWeather = (chance: Chance, start: number, aim: Aim): Weather => ({
  until: start + chance.int(1, 12) * 3_600_000,
  crash: drawn(chance, 0.03),
  twin: drawn(chance, 0.3),
  refused: drawn(chance, 0.1),
  slow: drawn(chance, 0.02),
  storm: drawStorm(chance.fork('storm'), start, aim),
  outage: drawOutage(chance.fork('outage'), start),
  ledger: {
    throttled: drawn(chance, 0.1),
    conflict: drawn(chance, 0.2),
    errorBefore: drawn(chance, 0.1),
    errorAfter: drawn(chance, 0.1),
    answerLost: drawn(chance, 0.2),
    behind: drawn(chance, 0.5),
  },
  filesError: drawn(chance, 0.05),
  workflowError: drawn(chance, 0.2),
  request: {
    not_sent: drawn(chance, 0.2),
    drop_before: drawn(chance, 0.3),
    drop_after: drawn(chance, 0.3),
    slow: drawn(chance, 0.3),
    work_after_timeout: drawn(chance, 0.3),
    error_before: drawn(chance, 0.3),
    error_after: drawn(chance, 0.3),
    rate_limit: drawn(chance, 0.2),
    unreadable: drawn(chance, 0.2),
    contradiction_after: drawn(chance, 0.2),
    contradiction_before: drawn(chance, 0.2),
    items_missing: drawn(chance, 0.3),
    items_reordered: drawn(chance, 0.5),
    gateway_404: drawn(chance, 0.3),
    gateway_403: drawn(chance, 0.05),
    gateway_403_after: drawn(chance.fork('gateway 403 after'), 0.05),
  },
  conversionRefused: chance.fork('conversion refused').happens(0.35) ? 0.5 : 0,
  webhook: {
    sent: chance.happens(0.5) ? 0.7 * chance.next() : 0,
    duplicated: 0.5 * chance.next(),
    late: 0.5 * chance.next(),
    forged: chance.happens(0.3) ? 0.5 * chance.next() : 0,
    idsAlone: chance.happens(0.3),
  },
});
