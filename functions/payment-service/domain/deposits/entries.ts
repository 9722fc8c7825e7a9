import type { Entry, EntryHead, LedgerAccount } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import type { Decimal } from '../money/money.ts';
import { add, negate, subtract } from '../money/money.ts';
import type { Deposit, DepositPrice } from './deposit.ts';
import type { DepositChange } from './lifecycle.ts';

interface Gains {
  readonly currency: string;
  readonly gains: Partial<Record<LedgerAccount, Decimal>>;
}

/** What a paid deposit moves, by currency: one that is converted goes through the desk, in two currencies. */
const gainsOf = (price: DepositPrice): readonly Gains[] => {
  const { inputAmount, fee, outputAmount, conversionFee = '0' } = price;
  const paid = { deposits: negate(inputAmount), fees: fee };
  const net = subtract(inputAmount, fee);
  if (price.exchangeRate === undefined) return [{ currency: price.inputCurrency, gains: { ...paid, balance: net } }];
  return [
    { currency: price.inputCurrency, gains: { ...paid, exchange: net } },
    {
      currency: price.outputCurrency,
      gains: { exchange: negate(add(outputAmount, conversionFee)), fees: conversionFee, balance: outputAmount },
    },
  ];
};

const reversed = ({ currency, gains }: Gains): Gains => ({
  currency,
  gains: Object.fromEntries(Object.entries(gains).map(([account, amount]) => [account, negate(amount)])),
});

const isCredited = ({ status }: Deposit): boolean => status === 'completed';

/**
 * The ledger entries of a change, one a currency: becoming completed credits the deposit, leaving completed takes the
 * credit back, and anything else moves nothing. So a deposit is credited once however often a status is set.
 */
export const depositEntries = ({ before, after }: DepositChange): readonly Entry[] => {
  if (isCredited(before) === isCredited(after)) return [];
  const head: Omit<EntryHead, 'currency'> = {
    id: `${after.depositId}#${after.version}`,
    kind: isCredited(after) ? 'deposit' : 'deposit_status',
    at: after.updatedAt,
  };
  const gains = gainsOf(after);
  return (isCredited(after) ? gains : gains.map(reversed)).map((one) =>
    entry({ ...head, currency: one.currency }, one.gains),
  );
};
