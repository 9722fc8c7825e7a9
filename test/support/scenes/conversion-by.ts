import { Money } from '../../../functions/domain/money/money.ts';
import type { LockingConversion } from '../../../functions/ports/ledger/funds-ledger.ts';

/** A batch's first conversion, for which it locks a pair. */
export const conversionBy = (batchId: string, pair: readonly string[] = ['usdt-tron', 'THB']): LockingConversion => {
  const [inputCurrency = '', outputCurrency = ''] = pair;
  return { batchId, n: 1, planned: { input: Money.zero(inputCurrency), output: Money.zero(outputCurrency) } };
};
