import type { Scenario } from '../draw/scenario.ts';
import type { Chance } from './random.ts';
import type { RequestFault } from './weather.ts';

/** What a process asks of the world: of the ledger by the kind of the item, or of another of its ports. */
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

/** What happens more often than not at one place of one function. */
export interface Strike {
  readonly function: string;
  readonly place: Place;
  /** Of an await there: the process is gone before or after what it asked for was done. */
  readonly crash: { readonly before: number; readonly after: number };
  /** Of an await there: it takes long, up to two minutes. */
  readonly late: number;
  /** Of a request to the provider there that only reads: the provider is out. */
  readonly out: number;
  /** Of an invocation of that function: another one beside it. */
  readonly twin: number;
}

/**
 * Bad weather aimed at one or two places: what the weather everywhere does once in a hundred awaits happens there more often
 * than not, so that what takes three mishaps in a row is met as well.
 */
export interface Storm {
  /** Milliseconds since 1970. Shorter than the weather, so that others go on with what it left behind. */
  readonly until: number;
  readonly strikes: readonly Strike[];
  /** Of each POST of whatever function: what befalls it. */
  readonly post: { readonly fault: RequestFault; readonly probability: number } | undefined;
}

interface Target {
  readonly function: string;
  /** How many storms of sixteen strike there: most where a claim is used and given back. */
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
  // What a call claimed is not given back; then two give it back, one of them when the next call has claimed it already.
  {
    strikes: [
      { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', crash: { before: 0.7, after: 0 } },
      { ...calm, function: 'Follow', place: 'write PAYOUT', late: 0.4, twin: 0.9 },
    ],
    post: { fault: 'not_sent', probability: 0.5 },
  },
  // Of two that convert for one batch one gives up, and the other does not hear what became of it.
  {
    strikes: [
      { ...calm, function: 'Convert', place: 'GET', out: 0.4, late: 0.2, twin: 0.9 },
      { ...calm, function: 'Convert', place: 'write CONVERSION', crash: { before: 0, after: 0.4 } },
    ],
    post: { fault: 'work_after_timeout', probability: 0.5 },
  },
  // Payouts are counted as absent, and who counted them is gone.
  {
    strikes: [{ ...calm, function: 'Follow', place: 'write PAYOUT', crash: { before: 0, after: 0.7 } }],
    post: { fault: 'work_after_timeout', probability: 0.8 },
  },
  // A claim comes so late that somebody has stopped the batch.
  { strikes: [{ ...calm, function: 'SubmitChunk', place: 'write CALL', late: 0.7 }], post: undefined },
];

/** Between two reads of what is set aside another batch sets something aside, and has not spent it, or not written that down. */
const overFunding: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'PlanFunding', place: 'read RESERVED', late: 0.4 },
    { ...calm, function: 'SubmitChunk', place: 'write REF', late: 0.3 },
    { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.4 },
    { ...calm, function: 'Convert', place: 'read', late: 0.05 },
  ],
  post: { fault: 'drop_after', probability: 0.1 },
};

/** While a batch reads what there is another converts, or pays, and writes down late what came of it. */
const aroundConversions: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'PlanFunding', place: 'GET', late: 0.4 },
    { ...calm, function: 'Convert', place: 'GET', late: 0.3 },
    { ...calm, function: 'Convert', place: 'write CONVERSION', late: 0.4 },
    { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.4 },
  ],
  post: { fault: 'work_after_timeout', probability: 0.2 },
};

/** Rows are left for a later round of submitting. That one has ended when it is written that the first one has. */
const lateEnds: Omit<Storm, 'until'> = {
  strikes: [
    { ...calm, function: 'SubmitChunk', place: 'write CALL', crash: { before: 0.8, after: 0 } },
    { ...calm, function: 'EndSubmit', place: 'write other', late: 0.5, twin: 0.9 },
  ],
  post: undefined,
};

/** A child is gone right after its claim, and its batch is paused: no later child adds the chunk up. */
const uncounted: Omit<Storm, 'until'> = {
  strikes: [{ ...calm, function: 'SubmitChunk', place: 'write CALL', crash: { before: 0, after: 0.8 } }],
  post: undefined,
};

/** What leaves a call without an outcome, or with one that a second call follows from. */
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

/** What of a run a storm is aimed at. */
export type Aim = Pick<Scenario, 'isRush' | 'isLeftPaused' | 'storm'>;

/**
 * A storm in half the runs, in each in which batches compete for money, and in those of stories that have one; a milder one in some
 * of the others.
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
