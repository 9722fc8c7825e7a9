import type { ToCorrectName } from '../ports/files.ts';
import { toCorrectNames } from '../ports/files.ts';
import type { Batch, PlanSummary } from './batch.ts';
import type { Reason } from './payout.ts';
import { countSkipped } from './skipped-rows.ts';

/** Whether a batch has rows that another may correct: it was refused, or it skipped some. Once true it stays so. */
export const hasRowsToCorrect = ({ status, plan }: Pick<Batch, 'status' | 'plan'>): boolean =>
  status === 'validation_failed' || countSkipped(plan) > 0;

/** What the file is called in which a batch's rows are mended; undefined where none came back. */
export const toCorrectName = (plan: Pick<PlanSummary, 'toCorrectKey'> | undefined): ToCorrectName | undefined =>
  toCorrectNames.find((name) => plan?.toCorrectKey?.endsWith(`/${name}`));

/**
 * Why a file cannot be the correction of a batch that pays its other rows: it has more rows than were skipped, so that one of
 * them is another row, which may be paid. Rows that repeat a debt are found besides.
 */
export const moreThanSkipped = (
  corrected: Pick<Batch, 'batchId' | 'plan'>,
  { rows }: Pick<PlanSummary, 'rows'>,
): Reason | undefined => {
  const skipped = countSkipped(corrected.plan);
  if (skipped === 0 || rows <= skipped) return undefined;
  const name = toCorrectName(corrected.plan);
  const message =
    `Batch ${corrected.batchId} skipped ${skipped} rows and pays the others; this file has ${rows}. Nothing was paid. ` +
    (name === undefined
      ? 'Start a file of just the skipped rows.'
      : `Start its ${name}, which has just the skipped rows.`);
  return { code: 'more_than_skipped', message };
};
