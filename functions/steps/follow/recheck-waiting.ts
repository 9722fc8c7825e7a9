import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { isLookDue } from '../../domain/payout/polling.ts';
import type { Run, Sweep } from './sweep.ts';
import { addUpTouched, chunksWith, eachChunk, lookUpEach } from './sweep.ts';

/** Tells of which chunks all quarantined payouts are looked up: in the first sweep of an execution, and in the next if time ran out. */
const askedWhole = ({ isFirst, kept: { unaskedChunks } }: Sweep) => {
  const left = new Set(unaskedChunks);
  return ({ chunk }: Pick<ChunkRecord, 'chunk'>): boolean => isFirst || left.has(chunk);
};

/** Chunks with quarantined payouts to look up: once per execution all of them, and in between at growing intervals. */
export const chunksToAskAgain = ({ settings, sweep }: Run): readonly ChunkRecord[] => {
  const isWhole = askedWhole(sweep);
  return chunksWith(sweep, 'quarantined').filter((record) => {
    const { quarantined: since = sweep.now } = record.waitingSince;
    return isWhole(record) || isLookDue(since, sweep.kept.sweptAt, sweep.nowMs, settings.resolveAfterSeconds);
  });
};

/**
 * Looks up quarantined payouts. Once per execution all of them, because a person who resumes a batch expects it. In between only
 * those without a disbursement, since a lookup may lag by hours. The others include payouts that were quarantined as overdue,
 * which would immediately be pending again.
 */
export const askQuarantined = (run: Run, chunks: readonly ChunkRecord[]): Promise<void> => {
  const isWhole = askedWhole(run.sweep);
  return eachChunk(run, chunks, ({ record, payouts }) => {
    const asked = payouts.filter(
      ({ status, disbursementId }) => status === 'quarantined' && (isWhole(record) || disbursementId === undefined),
    );
    return lookUpEach(run, asked);
  });
};

/**
 * The most chunks kept for the next sweep: about 100 KB of the 400 KB of a ledger item. More are left only when calls have few payouts
 * each. Then the rest waits for the next execution.
 */
const mostUnasked = 20_000;

/** Returns the chunks that the next sweep looks up whole. None when this sweep got no further: it must not hold up the batch's end. */
export const unaskedChunks = (sweep: Sweep): readonly number[] => {
  const { isFirst, unasked, kept } = sweep;
  const isWhole = askedWhole(sweep);
  const left = [...unasked].filter((chunk) => isWhole({ chunk }));
  return isFirst || left.length < (kept.unaskedChunks ?? []).length ? left.slice(0, mostUnasked) : [];
};

/**
 * Updates the counts of chunks whose rows seem to be ready for long. A child that died before it updated them leaves a record
 * that misses its call. Checks more rarely the longer rows are ready, as those of a paused batch are.
 */
export const refreshLongReady = async (run: Run): Promise<void> => {
  const { settings, sweep } = run;
  const stale = chunksWith(sweep, 'ready').filter(({ waitingSince, registeredAt }) =>
    isLookDue(waitingSince.ready ?? registeredAt, sweep.kept.sweptAt, sweep.nowMs, settings.resolveAfterSeconds),
  );
  for (const { chunk } of stale) sweep.touched.add(chunk);
  await addUpTouched(run);
};
