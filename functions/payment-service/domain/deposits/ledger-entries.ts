import type { Entry, EntryHead, LedgerAccount } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import { Money } from '../money/money.ts';
import type { Deposit, DepositPrice } from './deposit.ts';
import type { DepositChange } from './lifecycle.ts';

interface Gains {
  readonly currency: string;
  readonly gains: Partial<Record<LedgerAccount, Money>>;
}

/** The gains of a paid deposit, by currency. A conversion passes through the exchange account, in two currencies. */
const gainsOf = ({ input, fee, output, conversionFee, exchangeRate }: DepositPrice): readonly Gains[] => {
  const paid = { deposits: input.negated(), fees: fee };
  const net = input.minus(fee);
  if (exchangeRate === undefined) return [{ currency: input.currency, gains: { ...paid, balance: net } }];
  const fees = conversionFee ?? Money.zero(output.currency);
  return [
    { currency: input.currency, gains: { ...paid, exchange: net } },
    { currency: output.currency, gains: { exchange: output.plus(fees).negated(), fees, balance: output } },
  ];
};

const reversed = ({ currency, gains }: Gains): Gains => ({
  currency,
  gains: Object.fromEntries(Object.entries(gains).map(([account, amount]) => [account, amount.negated()])),
});

const isCredited = ({ status }: Deposit): boolean => status === 'completed';

/**
 * The ledger entries of a change, one per currency. Becoming completed credits the deposit, leaving completed takes the
 * credit back, and any other change moves nothing. So a deposit is credited once, however often its status is set.
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
