import type { ControlTotals } from '../batch.ts';
import { compareAmounts } from '../money.ts';
import type { PlanSummary } from '../plan.ts';

/** Where a file differs from what was expected of it, a sentence each. `1000` is `1000.00`. */
export const controlDifferences = (
  { rows, sums }: ControlTotals,
  plan: Pick<PlanSummary, 'rows' | 'currencies'>,
): readonly string[] => {
  const differing = rows === undefined || rows === plan.rows ? [] : [`Rows: expected ${rows}, found ${plan.rows}.`];
  if (sums === undefined) return differing;
  const found = new Map(plan.currencies.map(({ currency, amount }) => [currency, amount]));
  const expected = new Map(Object.entries(sums));
  for (const currency of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted = '0', sum = '0'] = [expected.get(currency), found.get(currency)];
    if (compareAmounts(wanted, sum) !== 0) differing.push(`${currency}: expected ${wanted}, found ${sum}.`);
  }
  return differing;
};
