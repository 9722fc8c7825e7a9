import { Money } from '../../../functions/domain/money/money.ts';
import type { LockingConversion } from '../../../functions/ports/ledger/funds-ledger.ts';

/** What a batch locks a pair for: its first conversion. */
export const conversionBy = (batchId: string, pair: readonly string[] = ['usdt-tron', 'THB']): LockingConversion => {
  const [inputCurrency = '', outputCurrency = ''] = pair;
  return { batchId, n: 1, planned: { input: Money.zero(inputCurrency), output: Money.zero(outputCurrency) } };
};
