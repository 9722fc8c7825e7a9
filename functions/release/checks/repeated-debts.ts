import type { Check } from './check.ts';

/** Rows that would pay a debt again, as planning found them. */
export const repeatedDebts: Check = ({ plan: { repeatedDebts: found } }) =>
  found === undefined || found.rows === 0
    ? []
    : [
        {
          code: 'repeated_debts',
          message: `${found.rows} rows repeat a debt of this file or of an earlier batch: repeated-debts.csv names each.`,
          rows: found.rows,
          against: `${found.list.key} SHA-256 ${found.list.sha256}`,
          mayBeReleased: true,
        },
      ];
