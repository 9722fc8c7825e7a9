import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { MeantBatch } from '../draw/scenario.ts';
import type { FinalParts } from './final-checks.ts';

interface Made {
  readonly meant: MeantBatch;
  readonly batch: Batch;
}

const correctedLines = z.array(z.object({ line: z.string(), error: z.string() }));

/** Rows that a batch skipped while it paid the others. 0 for a refused file. */
const skippedBy = ({ meant, batch: { plan } }: Made): number =>
  plan?.manifestKey === undefined ? 0 : meant.rows.length - plan.validRows;

/** Each bad row is returned with its error. A refused file returns all rows. */
const checkToCorrect = ({ bucket, report }: FinalParts, { meant, batch }: Made): void => {
  const { batchId, plan, reason } = batch;
  const isRefused = reason?.code === 'file_invalid';
  const expected = isRefused ? meant.rows.length : skippedBy({ meant, batch });
  if (expected === 0) return;
  const content = bucket.content(plan?.toCorrectKey ?? '')?.toString('utf8') ?? '';
  const rows = correctedLines.parse(parse(content, { columns: true, bom: true, relax_column_count: true }));
  const bad = rows.filter(({ error }) => error !== '');
  const lines = new Set(bad.map(({ line }) => line));
  const silent = rows.length - bad.length;
  const good = isRefused ? meant.rows.length - (plan?.invalidRows ?? 0) : 0;
  if (lines.size !== expected - good || silent !== good) {
    const detail = `${lines.size} bad rows and ${silent} good ones, of ${expected - good} and ${good}`;
    report('skipped rows come back', detail, { batchId });
  }
};

/** A batch's corrections, and their corrections. */
const correctionsOf = ({ meant: { key } }: Made, made: readonly Made[]): readonly Made[] =>
  made
    .filter(({ meant }) => meant.corrects?.key === key)
    .flatMap((correction) => [correction, ...correctionsOf(correction, made)]);

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/**
 * All corrections of a batch that registered payouts together register at most as many as it skipped rows. If one is refused for
 * this, its rows and those of all planned corrections exceed the skipped rows of a batch that was meant to pay.
 */
export const checkCorrections = (parts: FinalParts, made: readonly Made[]): void => {
  const { table, report } = parts;
  const registered = ({ batch: { batchId } }: Made): number =>
    table.items(`CHUNK#${batchId}#`).filter(({ sk }) => String(sk).startsWith('PAYOUT#')).length;
  const planned = ({ batch: { plan } }: Made): number => (plan?.manifestKey === undefined ? 0 : plan.validRows);
  const refusedWell = new Set<string>();
  for (const one of made) {
    checkToCorrect(parts, one);
    const skipped = skippedBy(one);
    if (skipped === 0) continue;
    const corrections = correctionsOf(one, made);
    const { batchId } = one.batch;
    const paying = sum(corrections.map(registered));
    if (registered(one) > 0 && paying > skipped)
      report('corrections pay what was skipped', `${paying} rows of ${skipped} that were skipped`, { batchId });
    if (one.batch.mode === 'preview') continue;
    const all = sum(corrections.map(planned));
    for (const { meant, batch } of corrections) if (meant.rows.length + all > skipped) refusedWell.add(batch.batchId);
  }
  for (const { batch } of made)
    if (batch.reason?.code === 'more_than_skipped' && !refusedWell.has(batch.batchId))
      report('corrections pay what was skipped', 'a correction of rows that are left is refused', {
        batchId: batch.batchId,
      });
};
