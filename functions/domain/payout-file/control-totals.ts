import type { ControlTotals } from '../batch/batch.ts';
import type { PlanSummary } from '../batch/plan.ts';
import { moneyIn } from '../money/money-by-currency.ts';

/** Why a file that is not what its start expected is refused. */
export const controlTotalsDifferCode = 'control_totals_differ';

/** Compares a file with the totals expected of it. Returns one sentence per difference. `1000` equals `1000.00`. */
export const controlDifferences = (
  { rows, sums }: ControlTotals,
  plan: Pick<PlanSummary, 'rows' | 'currencies'>,
): readonly string[] => {
  const differing = rows === undefined || rows === plan.rows ? [] : [`Rows: expected ${rows}, found ${plan.rows}.`];
  if (sums === undefined) return differing;
  const found = new Map(plan.currencies.map(({ currency, amount }) => [currency, amount]));
  for (const currency of new Set([...sums.keys(), ...found.keys()])) {
    const [wanted, sum] = [moneyIn(sums, currency), moneyIn(found, currency)];
    if (!wanted.equals(sum)) differing.push(`${currency}: expected ${wanted.amount}, found ${sum.amount}.`);
  }
  return differing;
};
