import type { Chance } from '../../support/chance.ts';
import type { Scenario } from '../draw/scenario.ts';
import type { RequestFault } from './weather.ts';

/** The target of a process's request: the ledger, by the kind of item, or another port. */
export type Place =
  | 'read'
  | 'read RESERVED'
  | 'write PAYOUT'
  | 'write REF'
  | 'write CALL'
  | 'write CHUNK'
  | 'write BATCH'
  | 'write CONVERSION'
  | 'write RESERVED'
  | 'write LOCK'
  | 'write LOOKUP'
  | 'write other'
  | 'file'
  | 'workflow'
  | 'queue'
  | 'wait'
  | 'POST'
  | 'GET';

/** Frequent faults at one place of one function. */
export interface Strike {
  readonly function: string;
  readonly place: Place;
  /** Probability for each await there that the process dies before or after the effect. */
  readonly crash: { readonly before: number; readonly after: number };
  /** Probability for each await there that it takes long, up to two minutes. */
  readonly late: number;
  /** Probability for each read from the provider there that the provider is unavailable. */
  readonly out: number;
  /** Probability for each invocation of that function that another one runs beside it. */
  readonly twin: number;
}

/**
 * Frequent faults at one or two places. Faults that elsewhere hit one await in a hundred hit most awaits there. So situations
 * that need three faults in a row occur as well.
 */
export interface Storm {
  /** Milliseconds since 1970. Ends before the other faults, so that other processes meet its remains. */
  readonly until: number;
  readonly strikes: readonly Strike[];
  /** The fault of POSTs, whatever function makes them. */
  readonly post: { readonly fault: RequestFault; readonly probability: number } | undefined;
}

interface Target {
  readonly function: string;
  /** How many of fifteen storms hit this function. Most hit the places where a claim is used and returned. */
  readonly share: number;
  readonly places: readonly [Place, ...Place[]];
}

const resolving: Target = {
  function: 'Follow',
  share: 4,
  places: ['write PAYOUT', 'write PAYOUT', 'write PAYOUT', 'write CHUNK', 'GET'],
};
const targets: readonly Target[] = [
  resolving,
  {
    function: 'SubmitChunk',
    share: 4,
    places: ['write REF', 'write CHUNK', 'write CALL', 'write PAYOUT', 'write PAYOUT', 'POST', 'read'],
  },
  { function: 'Convert', share: 2, places: ['write CONVERSION', 'write LOCK', 'POST', 'GET'] },
  { function: 'PlanFunding', share: 1, places: ['write RESERVED', 'GET', 'read RESERVED'] },
  { function: 'ApplyWebhook', share: 1, places: ['write PAYOUT', 'write LOOKUP', 'GET'] },
  { function: 'ReportBatch', share: 1, places: ['write BATCH', 'write RESERVED'] },
  { function: 'WatchBatches', share: 1, places: ['write BATCH', 'write other', 'read'] },
  { function: 'ResumeBatch', share: 1, places: ['workflow'] },
];
const drawTarget = (chance: Chance): Target => {
  const shares = targets.flatMap((target) => Array.from({ length: target.share }, () => target));
  return chance.pick([resolving, ...shares.slice(1)]);
};

export const calm = { crash: { before: 0, after: 0 }, late: 0, out: 0, twin: 0 } as const;

/** Storms that two functions must meet one after the other. */
const aimed: readonly [Omit<Storm, 'until'>, ...Omit<Storm, 'until'>[]] = [
  // A call's payouts are not returned to ready. Later two runs return them, one of them after the next call has claimed them.
  {
    strikes: [
      { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', crash: { before: 0.7, after: 0 } },
      { ...calm, function: 'Follow', place: 'write PAYOUT', late: 0.4, twin: 0.9 },
    ],
    post: { fault: 'not_sent', probability: 0.5 },
  },
  // Two runs convert for one batch. One gives up, and the other does not learn its outcome.
  {
    strikes: [
      { ...calm, function: 'Convert', place: 'GET', out: 0.4, late: 0.2, twin: 0.9 },
      { ...calm, function: 'Convert', place: 'write CONVERSION', crash: { before: 0, after: 0.4 } },
    ],
    post: { fault: 'work_after_timeout', probability: 0.5 },
  },
  // Payouts are counted as absent, and the process that counted them dies.
  {
    strikes: [{ ...calm, function: 'Follow', place: 'write PAYOUT', crash: { before: 0, after: 0.7 } }],
    post: { fault: 'work_after_timeout', probability: 0.8 },
  },
  // A claim comes so late that someone has stopped the batch.
  { strikes: [{ ...calm, function: 'SubmitChunk', place: 'write CALL', late: 0.7 }], post: undefined },
];

/** Between two reads of the reservations another batch reserves money, and has not spent it or not recorded that. */
const overFunding: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'PlanFunding', place: 'read RESERVED', late: 0.4 },
    { ...calm, function: 'SubmitChunk', place: 'write REF', late: 0.3 },
    { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.4 },
    { ...calm, function: 'Convert', place: 'read', late: 0.05 },
  ],
  post: { fault: 'drop_after', probability: 0.1 },
};

/** While a batch reads the balance, another one converts or pays and records the result late. */
const aroundConversions: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'PlanFunding', place: 'GET', late: 0.4 },
    { ...calm, function: 'Convert', place: 'GET', late: 0.3 },
    { ...calm, function: 'Convert', place: 'write CONVERSION', late: 0.4 },
    { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.4 },
  ],
  post: { fault: 'work_after_timeout', probability: 0.2 },
};

/** Rows are left for a later round of submitting. That round ends before the end of the first one is recorded. */
const lateEnds: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'SubmitChunk', place: 'write CALL', crash: { before: 0.8, after: 0 } },
    { ...calm, function: 'EndSubmit', place: 'write other', late: 0.5, twin: 0.9 },
  ],
  post: undefined,
};

/** A child dies right after its claim, and its batch is paused, so no later child counts the chunk. */
const uncounted: Omit<Storm, 'until'> = {
  strikes: [{ ...calm, function: 'SubmitChunk', place: 'write CALL', crash: { before: 0, after: 0.8 } }],
  post: undefined,
};

/** Faults that leave a call without an outcome, or with one that causes a second call. */
const postFaults = [
  'not_sent',
  'not_sent',
  'drop_after',
  'drop_before',
  'work_after_timeout',
  'error_after',
  'gateway_403_after',
] as const;

const drawStrike = (chance: Chance): Strike => {
  const target = drawTarget(chance);
  const kind = chance.pick(['before', 'after', 'after', 'late', 'late', 'any']);
  const often = chance.between(0.2, 0.9);
  const when = (...kinds: readonly string[]): number => (kinds.includes(kind) ? often : 0);
  return {
    function: target.function,
    place: chance.pick(target.places),
    crash: { before: when('before', 'any') / 2, after: when('after', 'any') / 2 },
    late: when('late', 'any'),
    out: chance.pick([0, 0, 0.5]),
    twin: chance.pick([0, 0.5, 0.9]),
  };
};

/** The parts of a scenario that decide its storm. */
export type Aim = Pick<Scenario, 'isRush' | 'isLeftPaused' | 'storm'>;

/**
 * Half of the runs have a storm, and so do all runs whose batches compete for money and all stories that define one. Some of the
 * others have a milder one.
 */
export const drawStorm = (chance: Chance, start: number, { isRush, isLeftPaused, storm }: Aim): Storm | undefined => {
  const isMild = storm === undefined && !isRush && !chance.happens(0.5);
  const until = start + chance.between(5, 90) * 60_000;
  if (storm !== undefined) return { ...storm, until };
  if (isMild && isLeftPaused) return { ...uncounted, until };
  if (isMild) return chance.fork('late ends').happens(0.3) ? { ...lateEnds, until } : undefined;
  if (isRush) return { ...chance.pick([overFunding, aroundConversions]), until };
  if (chance.happens(0.45)) return { ...chance.pick(aimed), until };
  return {
    until,
    strikes: [drawStrike(chance)],
    post: chance.happens(0.6) ? { fault: chance.pick(postFaults), probability: chance.between(0.2, 0.8) } : undefined,
  };
};
