import type { CurrencyPlan } from '../../functions/domain/batch/plan.ts';
import { Money } from '../../functions/domain/money/money.ts';
import type { TallyInText } from '../../functions/domain/money/money-records.ts';
import { tallyOfText } from '../../functions/domain/money/money-records.ts';
import type { Tally } from '../../functions/domain/money/tally.ts';
import type { PaymentMethod } from '../../functions/ports/provider.ts';

/** Money in the currencies of most tests: `idr('10.50')`. */
const moneyOf =
  <const Currency extends string>(currency: Currency) =>
  (amount: string): Money<Currency> =>
    Money.of(amount, currency);

export const idr = moneyOf('IDR');
export const thb = moneyOf('THB');
export const usdt = moneyOf('usdt-tron');

/** `tally(12, '1250000.5', '8')`: count, sum and fees, in rupiah by default. */
export const tally = (count: number, amount = '0', fee = '0', currency = 'IDR'): Tally =>
  tallyOfText(currency, { count, amount, fee });

interface CurrencyPlanInText extends TallyInText, Pick<CurrencyPlan, 'rail' | 'currency'> {
  readonly largestAmount: string;
  readonly methods: readonly (TallyInText & { readonly method: string })[];
}

/** The planned payouts of one currency, with amounts as text. */
export const currencyPlan = ({ rail, currency, largestAmount, methods, ...of }: CurrencyPlanInText): CurrencyPlan => ({
  rail,
  currency,
  ...tallyOfText(currency, of),
  largestAmount: Money.of(largestAmount, currency),
  methods: methods.map(({ method, ...used }) => ({ method, ...tallyOfText(currency, used) })),
});

type PaymentMethodInText = Omit<PaymentMethod, 'minAmount' | 'maxAmount' | 'feeFlat'> &
  Readonly<Record<'minAmount' | 'maxAmount' | 'feeFlat', string>>;

/** A payment method, with amounts as text. */
export const paymentMethod = ({ minAmount, maxAmount, feeFlat, ...of }: PaymentMethodInText): PaymentMethod => ({
  ...of,
  minAmount: Money.of(minAmount, of.currency),
  maxAmount: Money.of(maxAmount, of.currency),
  feeFlat: Money.of(feeFlat, of.currency),
});
