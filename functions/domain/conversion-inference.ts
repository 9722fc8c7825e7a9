import { compareAmounts, subtractAmounts } from './money.ts';

export interface ObservedConversion {
  readonly inputBefore: string;
  readonly inputAfter: string;
  readonly outputBefore: string;
  readonly outputAfter: string;
  /** As quoted: what leaves the input balance. */
  readonly inputAmount: string;
  /** As quoted: what arrives after the fee. */
  readonly outputAmount: string;
}

/**
 * What the balances say about a conversion whose answer was lost. `happened` only when both moved by exactly what was
 * quoted, `unchanged` only when neither moved. Anything else is `unclear`: other money moved in between, or the rate did.
 */
export const inferConversion = (observed: ObservedConversion): 'happened' | 'unchanged' | 'unclear' => {
  const left = subtractAmounts(observed.inputBefore, observed.inputAfter);
  const arrived = subtractAmounts(observed.outputAfter, observed.outputBefore);
  if (compareAmounts(left, observed.inputAmount) === 0 && compareAmounts(arrived, observed.outputAmount) === 0)
    return 'happened';
  return compareAmounts(left, '0') === 0 && compareAmounts(arrived, '0') === 0 ? 'unchanged' : 'unclear';
};
