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

/** Where each function acts. Steps that handle payouts come more than once: there most can be lost. */
const targets: readonly [readonly [string, Place], ...(readonly [string, Place])[]] = [
  ['SubmitChunk', 'write REF'],
  ['SubmitChunk', 'write CHUNK'],
  ['SubmitChunk', 'write CALL'],
  ['SubmitChunk', 'write PAYOUT'],
  ['SubmitChunk', 'write PAYOUT'],
  ['SubmitChunk', 'POST'],
  ['SubmitChunk', 'read'],
  ['ResolveChunk', 'write PAYOUT'],
  ['ResolveChunk', 'write PAYOUT'],
  ['ResolveChunk', 'write PAYOUT'],
  ['ResolveChunk', 'write CHUNK'],
  ['ResolveChunk', 'GET'],
  ['PollChunk', 'write PAYOUT'],
  ['PollChunk', 'GET'],
  ['PlanFunding', 'write RESERVED'],
  ['PlanFunding', 'GET'],
  ['Convert', 'write CONVERSION'],
  ['Convert', 'write LOCK'],
  ['Convert', 'POST'],
  ['Convert', 'GET'],
  ['ReportBatch', 'write BATCH'],
  ['ReportBatch', 'write RESERVED'],
  ['RecordFailure', 'write BATCH'],
  ['ArchiveProofs', 'write PAYOUT'],
  ['ApplyWebhook', 'write PAYOUT'],
  ['ApplyWebhook', 'write LOOKUP'],
  ['ApplyWebhook', 'GET'],
  ['WatchBatches', 'write BATCH'],
  ['WatchBatches', 'read'],
  ['ResumeBatch', 'workflow'],
];

/** What leaves a call without an outcome, or with one that a second call follows from. */
const postFaults = ['not_sent', 'not_sent', 'drop_after', 'drop_before', 'work_after_timeout', 'error_after'] as const;

/** A storm in half the runs. */
export const drawStorm = (chance: Chance, start: number): Storm | undefined => {
  if (!chance.happens(0.5)) return undefined;
  const [name, place] = chance.pick(targets);
  const kind = chance.pick(['before', 'after', 'late', 'late', 'any']);
  const often = chance.between(0.2, 0.9);
  const when = (...kinds: readonly string[]): number => (kinds.includes(kind) ? often : 0);
  return {
    until: start + chance.between(5, 90) * 60_000,
    function: name,
    place,
    crash: { before: when('before', 'any') / 2, after: when('after', 'any') / 2 },
    late: when('late', 'any'),
    twin: chance.pick([0, 0.5, 0.9]),
    post: chance.happens(0.6) ? { fault: chance.pick(postFaults), probability: chance.between(0.2, 0.8) } : undefined,
  };
};
