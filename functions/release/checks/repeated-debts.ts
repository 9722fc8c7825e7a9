import type { RepeatedDebts } from '../../domain/batch/plan.ts';
import { plural } from '../../domain/money/format-money.ts';
import { listBatches } from '../../domain/report/corrections.ts';
import type { Check } from './check.ts';

/** `1 row repeats`, `2 rows repeat`. */
export const repeatingRows = (rows: number): string => `${rows} ${plural(rows, 'row repeats', 'rows repeat')}`;

/** Debts that were paid already come first, because a person must not miss them. */
const describeRepeated = ({ rows, ofPaid }: RepeatedDebts): string => {
  const all = `${repeatingRows(rows)} a debt of this file or of an earlier batch: repeated-debts.csv names each.`;
  return ofPaid === undefined
    ? all
    : `${repeatingRows(ofPaid.rows)} a debt that was already paid, by ${listBatches(ofPaid.batches)}. In all ${all}`;
};

/** Finds rows that would pay a debt again, as planning found them. */
export const repeatedDebts: Check = ({ plan: { repeatedDebts: found } }) => {
  if (found === undefined || found.rows === 0) return undefined;
  return {
    code: 'repeated_debts',
    message: describeRepeated(found),
    rows: found.rows,
    against: `${found.list.key} SHA-256 ${found.list.sha256}`,
    mayBeReleased: true,
  };
};
