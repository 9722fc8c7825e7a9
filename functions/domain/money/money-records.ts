import * as z from 'zod';
import type { ControlTotals, Conversion, PlannedConversion } from '../batch/batch.ts';
import { InvariantBroken } from '../errors.ts';
import { given, givenBy } from '../given.ts';
import { once } from '../once.ts';
import { rail } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { counter, decimalText, record } from '../records.ts';
import { Money } from './money.ts';
import { moneyInText, moneyOfText } from './money-by-currency.ts';
import type { Tallies, Tally } from './tally.ts';

/*
 * Text forms of records with money, for the ledger's items, the operator API's responses and evidence.json. Each has one form:
 * amounts are exact decimals beside their currency.
 */

type InText<Value> = Value extends Money
  ? string
  : Value extends object
    ? { [Name in keyof Value]: InText<Value[Name]> }
    : Value;

/**
 * Copies a record, with the amount of each sum of money as text. The record has their currency in a field of its own.
 *
 * @throws InvariantBroken for a value that is no record, list, text, number or truth value, such as a Set
 */
export function inText<Value>(value: Value): InText<Value>;
export function inText(value: unknown): unknown {
  if (value instanceof Money) return value.amount;
  if (Array.isArray(value)) return value.map(inText);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw new InvariantBroken('not_a_record: cannot be written as text');
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inText(member)]));
}

const tallyShape = () => ({ count: counter(), amount: decimalText(), fee: decimalText() });
const storedTally = record(tallyShape);
export type TallyInText = z.infer<ReturnType<typeof storedTally>>;
export const storedTallies = once(() => z.partialRecord(z.enum(payoutStatuses), storedTally()).readonly());
type TalliesInText = z.infer<ReturnType<typeof storedTallies>>;

export const tallyOfText = (currency: string, { count, amount, fee }: TallyInText): Tally => ({
  count,
  amount: Money.of(amount, currency),
  fee: Money.of(fee, currency),
});

const mapTallies = <From, To>(
  tallies: Partial<Record<PayoutStatus, From>>,
  change: (tally: From) => To,
): Partial<Record<PayoutStatus, To>> => givenBy(payoutStatuses, (status) => tallies[status] && change(tallies[status]));

export const talliesInText = (tallies: Tallies): TalliesInText => mapTallies(tallies, inText);
export const talliesOfText = (currency: string, tallies: TalliesInText): Tallies =>
  mapTallies(tallies, (tally) => tallyOfText(currency, tally));

const controlTotals = record(() => ({
  /** All rows of the file, including invalid ones, without the header. */
  rows: counter().exactOptional(),
  /** Sums of the valid rows. The file must have no currency that is missing here. */
  sums: z.record(z.string(), decimalText()).readonly().exactOptional(),
}));
export type ControlTotalsInText = z.infer<ReturnType<typeof controlTotals>>;

export const controlTotalsInText = ({ sums, ...rest }: ControlTotals) => ({
  ...rest,
  ...given({ sums: sums && moneyInText(sums) }),
});

export const controlTotalsOfText = ({ sums, ...rest }: ControlTotalsInText) => ({
  ...rest,
  ...given({ sums: sums && moneyOfText(sums) }),
});

/** All amounts are in its currency. */
const currencyFunding = record(() => ({
  currency: z.string(),
  /** Amounts plus fees, plus the most that planned conversions take from this currency: see mostTaken. */
  required: decimalText(),
  balance: decimalText(),
  /** Money that other batches hold, and expect from their conversions. */
  reservedByOthers: decimalText(),
  /** The most that is missing. Zero when nothing is. */
  shortfall: decimalText(),
  /**
   * The part of the shortfall that may be there after all, once other batches learn the outcome of their calls. Zero when all is
   * known. Plans stored before this field existed have none.
   */
  unclear: decimalText().default('0'),
}));
type CurrencyFundingInText = z.infer<ReturnType<typeof currencyFunding>>;

export const currencyFundingOfText = ({ currency, ...rest }: CurrencyFundingInText) => ({
  currency,
  required: Money.of(rest.required, currency),
  balance: Money.of(rest.balance, currency),
  reservedByOthers: Money.of(rest.reservedByOthers, currency),
  shortfall: Money.of(rest.shortfall, currency),
  unclear: Money.of(rest.unclear, currency),
});

/** A planned conversion, as in a funding plan and in a conversion's record. */
export const plannedConversion = record(() => ({
  inputCurrency: z.string(),
  inputAmount: decimalText(),
  outputCurrency: z.string(),
  /** The amount that arrives after the fee. At least the shortfall. */
  outputAmount: decimalText(),
  /** In the currency of the output. */
  fee: decimalText(),
  /** Output per input. */
  rate: decimalText(),
}));
type PlannedConversionInText = z.infer<ReturnType<typeof plannedConversion>>;

export const plannedConversionInText = ({ input, output, fee, rate }: PlannedConversion): PlannedConversionInText => ({
  inputCurrency: input.currency,
  inputAmount: input.amount,
  outputCurrency: output.currency,
  outputAmount: output.amount,
  fee: fee.amount,
  rate,
});

const plannedConversionOfText = (planned: PlannedConversionInText) => ({
  input: Money.of(planned.inputAmount, planned.inputCurrency),
  output: Money.of(planned.outputAmount, planned.outputCurrency),
  fee: Money.of(planned.fee, planned.outputCurrency),
  rate: planned.rate,
});

/** Its currencies are those of `planned`. */
export const conversionInText = ({ input, output, fee, ...rest }: Conversion) => ({
  ...rest,
  planned: plannedConversionInText(rest.planned),
  inputBalanceBefore: rest.inputBalanceBefore.amount,
  outputBalanceBefore: rest.outputBalanceBefore.amount,
  ...given({ inputAmount: input?.amount, outputAmount: output?.amount, fee: fee?.amount }),
});

export type ConversionInText = ReturnType<typeof conversionInText>;

export const conversionOfText = ({ inputAmount, outputAmount, fee, ...rest }: ConversionInText): Conversion => {
  const { inputCurrency, outputCurrency } = rest.planned;
  return {
    ...rest,
    planned: plannedConversionOfText(rest.planned),
    inputBalanceBefore: Money.of(rest.inputBalanceBefore, inputCurrency),
    outputBalanceBefore: Money.of(rest.outputBalanceBefore, outputCurrency),
    ...(inputAmount === undefined ? {} : { input: Money.of(inputAmount, inputCurrency) }),
    ...(outputAmount === undefined ? {} : { output: Money.of(outputAmount, outputCurrency) }),
    ...(fee === undefined ? {} : { fee: Money.of(fee, outputCurrency) }),
  };
};

/* The same records with money, as they are read from the ledger. */

export const storedCurrencyPlan = once(() =>
  z
    .object({
      ...tallyShape(),
      rail: rail(),
      currency: z.string(),
      /** The largest single amount. The crypto estimate is requested for it. */
      largestAmount: decimalText(),
      /** Fiat: by bank code. */
      methods: z.array(z.object({ ...tallyShape(), method: z.string() })),
    })
    .transform(({ currency, methods, largestAmount, ...rest }) => ({
      rail: rest.rail,
      currency,
      ...tallyOfText(currency, rest),
      largestAmount: Money.of(largestAmount, currency),
      methods: methods.map(({ method, ...tally }) => ({ method, ...tallyOfText(currency, tally) })),
    })),
);

export const storedCurrencyTallies = once(() =>
  z
    .object({ rail: rail(), currency: z.string(), tallies: storedTallies() })
    .transform(({ tallies, ...rest }) => ({ ...rest, tallies: talliesOfText(rest.currency, tallies) })),
);

export const storedFeeEstimate = once(() =>
  z
    .object({
      rail: rail(),
      currency: z.string(),
      fee: decimalText(),
      /** `crypto_estimate` is the provider's own estimate. So far only crypto has one. */
      source: z.enum(['payment_methods', 'crypto_estimate']),
    })
    .transform(({ currency, fee, ...rest }) => ({ ...rest, fee: Money.of(fee, currency) })),
);

export const storedControlTotals = once(() => controlTotals().transform(controlTotalsOfText));
export const storedCurrencyFunding = once(() => currencyFunding().transform(currencyFundingOfText));
export const storedPlannedConversion = once(() => plannedConversion().transform(plannedConversionOfText));

export const storedReleasedConversion = once(() =>
  z
    .object({ inputCurrency: z.string(), inputAmount: decimalText(), outputCurrency: z.string() })
    .transform(({ inputCurrency, inputAmount, outputCurrency }) => ({
      input: Money.of(inputAmount, inputCurrency),
      outputCurrency,
    })),
);
