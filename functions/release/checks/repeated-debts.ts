import type { RepeatedDebts } from '../../domain/batch/plan.ts';
import { plural } from '../../domain/money/format-money.ts';
import { listBatches } from '../../domain/report/corrections.ts';
import type { Check } from './check.ts';

/** `1 row repeats`, `2 rows repeat`. */
export const repeatingRows = (rows: number): string => `${rows} ${plural(rows, 'row repeats', 'rows repeat')}`;

/** What was paid stands first: that is what a person must not miss. */
const tellRepeated = ({ rows, ofPaid }: RepeatedDebts): string => {
  const all = `${repeatingRows(rows)} a debt of this file or of an earlier batch: repeated-debts.csv names each.`;
  return ofPaid === undefined
    ? all
    : `${repeatingRows(ofPaid.rows)} what was paid already, by ${listBatches(ofPaid.batches)}. In all ${all}`;
};

/** Rows that would pay a debt again, as planning found them. */
export const repeatedDebts: Check = ({ plan: { repeatedDebts: found } }) =>
  found === undefined || found.rows === 0
    ? []
    : [
        {
          code: 'repeated_debts',
          message: tellRepeated(found),
          rows: found.rows,
          against: `${found.list.key} SHA-256 ${found.list.sha256}`,
          mayBeReleased: true,
        },
      ];
