import type { PaymentMethod } from '../../ports/provider.ts';
import type { ControlTotals, Conversion, CurrencyFunding, PlannedConversion } from '../batch/batch.ts';
import { given } from '../given.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import type { FeesOfCurrency } from './fees.ts';
import { Money, moneyInText, moneyOfText } from './money.ts';
import type { Tallies, Tally } from './tally.ts';

/*
 * Text forms of records with money, for the ledger's items, the operator API's responses and evidence.json. Each has one form:
 * amounts are exact decimals beside their currency.
 */

export interface TallyInText {
  readonly count: number;
  readonly amount: string;
  readonly fee: string;
}

type TalliesInText = Partial<Record<PayoutStatus, TallyInText>>;

export const tallyInText = ({ count, amount, fee }: Tally): TallyInText => ({
  count,
  amount: amount.amount,
  fee: fee.amount,
});

export const tallyOfText = (currency: string, { count, amount, fee }: TallyInText): Tally => ({
  count,
  amount: Money.of(amount, currency),
  fee: Money.of(fee, currency),
});

const mapTallies = <From, To>(
  tallies: Partial<Record<PayoutStatus, From>>,
  change: (tally: From) => To,
): Partial<Record<PayoutStatus, To>> => {
  const changed: Partial<Record<PayoutStatus, To>> = {};
  for (const status of payoutStatuses) {
    const tally = tallies[status];
    if (tally !== undefined) changed[status] = change(tally);
  }
  return changed;
};

export const talliesInText = (tallies: Tallies): TalliesInText => mapTallies(tallies, tallyInText);
export const talliesOfText = (currency: string, tallies: TalliesInText): Tallies =>
  mapTallies(tallies, (tally) => tallyOfText(currency, tally));

export interface ControlTotalsInText extends Omit<ControlTotals, 'sums'> {
  readonly sums?: Readonly<Record<string, string>>;
}

export const controlTotalsInText = ({ sums, ...of }: ControlTotals) => ({
  ...of,
  ...given({ sums: sums && moneyInText(sums) }),
});

export const controlTotalsOfText = ({ sums, ...of }: ControlTotalsInText): ControlTotals => ({
  ...of,
  ...given({ sums: sums && moneyOfText(sums) }),
});

/** Need and funds of one currency. All amounts are in that currency. */
type CurrencyFundingInText = Readonly<Record<keyof CurrencyFunding, string>>;

export const currencyFundingInText = (funding: CurrencyFunding): CurrencyFundingInText => ({
  currency: funding.currency,
  required: funding.required.amount,
  balance: funding.balance.amount,
  reservedByOthers: funding.reservedByOthers.amount,
  shortfall: funding.shortfall.amount,
  unclear: funding.unclear.amount,
});

export const currencyFundingOfText = ({ currency, ...of }: CurrencyFundingInText): CurrencyFunding => ({
  currency,
  required: Money.of(of.required, currency),
  balance: Money.of(of.balance, currency),
  reservedByOthers: Money.of(of.reservedByOthers, currency),
  shortfall: Money.of(of.shortfall, currency),
  unclear: Money.of(of.unclear, currency),
});

interface PlannedConversionInText {
  readonly inputCurrency: string;
  readonly inputAmount: string;
  readonly outputCurrency: string;
  readonly outputAmount: string;
  readonly fee: string;
  readonly rate: string;
}

export const plannedConversionInText = ({ input, output, fee, rate }: PlannedConversion): PlannedConversionInText => ({
  inputCurrency: input.currency,
  inputAmount: input.amount,
  outputCurrency: output.currency,
  outputAmount: output.amount,
  fee: fee.amount,
  rate,
});

export const plannedConversionOfText = (of: PlannedConversionInText): PlannedConversion => ({
  input: Money.of(of.inputAmount, of.inputCurrency),
  output: Money.of(of.outputAmount, of.outputCurrency),
  fee: Money.of(of.fee, of.outputCurrency),
  rate: of.rate,
});

/** Its currencies are those of `planned`. */
export interface ConversionInText
  extends Omit<Conversion, 'planned' | 'input' | 'output' | 'fee' | 'inputBalanceBefore' | 'outputBalanceBefore'> {
  readonly planned: PlannedConversionInText;
  readonly inputBalanceBefore: string;
  readonly outputBalanceBefore: string;
  readonly inputAmount?: string;
  readonly outputAmount?: string;
  readonly fee?: string;
}

export const conversionInText = ({ input, output, fee, ...of }: Conversion): ConversionInText => ({
  ...of,
  planned: plannedConversionInText(of.planned),
  inputBalanceBefore: of.inputBalanceBefore.amount,
  outputBalanceBefore: of.outputBalanceBefore.amount,
  ...given({ inputAmount: input?.amount, outputAmount: output?.amount, fee: fee?.amount }),
});

export const conversionOfText = ({ inputAmount, outputAmount, fee, ...of }: ConversionInText): Conversion => {
  const { inputCurrency, outputCurrency } = of.planned;
  return {
    ...of,
    planned: plannedConversionOfText(of.planned),
    inputBalanceBefore: Money.of(of.inputBalanceBefore, inputCurrency),
    outputBalanceBefore: Money.of(of.outputBalanceBefore, outputCurrency),
    ...(inputAmount === undefined ? {} : { input: Money.of(inputAmount, inputCurrency) }),
    ...(outputAmount === undefined ? {} : { output: Money.of(outputAmount, outputCurrency) }),
    ...(fee === undefined ? {} : { fee: Money.of(fee, outputCurrency) }),
  };
};

/** The form used in methods.json. */
export const paymentMethodInText = (method: PaymentMethod) => ({
  ...method,
  minAmount: method.minAmount.amount,
  maxAmount: method.maxAmount.amount,
  feeFlat: method.feeFlat.amount,
});

export const feesInText = ({ estimated, charged, ...of }: FeesOfCurrency) => ({
  ...of,
  estimated: estimated.amount,
  charged: charged.amount,
});
