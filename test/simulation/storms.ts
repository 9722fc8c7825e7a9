import type { Chance } from './random.ts';
import type { RequestFault } from './weather.ts';

/** What a process asks of the world: a write to the ledger by the kind of its item, or another of its ports. */
export type Place =
  | 'read'
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

/**
 * Bad weather aimed at one place of one function: what the weather everywhere does once in a hundred awaits happens there more
 * often than not, so that what takes three mishaps in a row is met as well.
 */
export interface Storm {
  /** Milliseconds since 1970. Shorter than the weather, so that others go on with what it left behind. */
  readonly until: number;
  readonly function: string;
  readonly place: Place;
  /** Of an await at that place: the process is gone before or after what it asked for was done. */
  readonly crash: { readonly before: number; readonly after: number };
  /** Of an await at that place: it takes long, up to two minutes. */
  readonly late: number;
  /** Of an invocation of that function: another one beside it. */
  readonly twin: number;
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
  function: 'ResolveChunk',
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
  { function: 'PlanFunding', share: 1, places: ['write RESERVED', 'GET'] },
  { function: 'PollChunk', share: 1, places: ['write PAYOUT', 'GET'] },
  { function: 'ApplyWebhook', share: 1, places: ['write PAYOUT', 'write LOOKUP', 'GET'] },
  { function: 'ReportBatch', share: 1, places: ['write BATCH', 'write RESERVED'] },
  { function: 'WatchBatches', share: 1, places: ['write BATCH', 'write other', 'read'] },
  { function: 'ResumeBatch', share: 1, places: ['workflow'] },
];
const drawTarget = (chance: Chance): Target => {
  const shares = targets.flatMap((target) => Array.from({ length: target.share }, () => target));
  return chance.pick([resolving, ...shares.slice(1)]);
};

/** What leaves a call without an outcome, or with one that a second call follows from. */
const postFaults = ['not_sent', 'not_sent', 'drop_after', 'drop_before', 'work_after_timeout', 'error_after'] as const;

/** A storm in half the runs. */
export const drawStorm = (chance: Chance, start: number): Storm | undefined => {
  if (!chance.happens(0.5)) return undefined;
  const target = drawTarget(chance);
  const kind = chance.pick(['before', 'after', 'after', 'late', 'late', 'any']);
  const often = chance.between(0.2, 0.9);
  const when = (...kinds: readonly string[]): number => (kinds.includes(kind) ? often : 0);
  return {
    until: start + chance.between(5, 90) * 60_000,
    function: target.function,
    place: chance.pick(target.places),
    crash: { before: when('before', 'any') / 2, after: when('after', 'any') / 2 },
    late: when('late', 'any'),
    twin: chance.pick([0, 0.5, 0.9]),
    post: chance.happens(0.6) ? { fault: chance.pick(postFaults), probability: chance.between(0.2, 0.8) } : undefined,
  };
};
