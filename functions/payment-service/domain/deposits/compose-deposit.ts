import type { Conversion } from '../conversions/conversion.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { isWithinLimits } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import { Refused } from '../refused.ts';
import { outcomeForDeposit } from '../sandbox/magic-values.ts';
import type { DepositDraft } from './deposit.ts';
import type { DepositMethod } from './deposit-methods.ts';
import { enabledDepositMethods, tokenCharge } from './deposit-methods.ts';
import type { PriceTerms } from './price-deposit.ts';
import { outputSide, priceOfInput, priceOfOutput } from './price-deposit.ts';

export interface DepositTerms extends PriceTerms {
  readonly sandbox: boolean;
}

type Extras = Pick<DepositDraft, 'reference' | 'note' | 'quoteId'>;

export interface FiatDepositRequest extends Extras {
  readonly inputCurrency: string;
  readonly inputAmount?: Decimal | undefined;
  readonly outputCurrency: string;
  readonly outputAmount?: { readonly fiat?: Decimal | undefined; readonly crypto?: Decimal | undefined } | undefined;
  readonly balanceType: 'fiat' | 'crypto';
  readonly paymentMethod: string;
}

export interface CryptoDepositRequest extends Extras {
  readonly inputCurrency: string;
  readonly inputAmount: Decimal;
  readonly outputCurrency?: string | undefined;
}

/** The request's one amount: the amount paid, or the amount to arrive, in the field for its currency's type. */
const onlyAmount = ({ inputAmount, outputAmount, balanceType }: FiatDepositRequest): Decimal | Refused => {
  const given = [inputAmount, outputAmount?.fiat, outputAmount?.crypto].filter((amount) => amount !== undefined);
  const [amount] = given;
  if (amount === undefined || given.length > 1 || (inputAmount !== undefined && outputAmount !== undefined))
    return new Refused('exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required');
  return (inputAmount ?? outputAmount?.[balanceType]) === undefined
    ? new Refused(`use outputAmount.${balanceType} for this outputCurrency`)
    : amount;
};

const outsideLimits = (method: DepositMethod, paid: Money): Refused | undefined => {
  if (isWithinLimits(method, paid)) return undefined;
  const { minAmount, maxAmount } = method;
  return new Refused(
    `the amount to pay must be between ${minAmount.amount} and ${maxAmount.amount}, and it is ${paid.amount}`,
  );
};

const extrasOf = (sandbox: boolean, { reference, note, quoteId }: Extras) => ({
  reference,
  note,
  quoteId,
  outcome: outcomeForDeposit(sandbox, reference),
});

/** Checks and prices a fiat deposit. `quoted` is the conversion of the quote that the request names. */
export const composeFiatDeposit = (
  terms: DepositTerms,
  request: FiatDepositRequest,
  quoted: Conversion | undefined,
): DepositDraft | Refused => {
  const input = fiatCurrencyOf(request.inputCurrency);
  if (input === undefined) return new Refused('inputCurrency is not a supported fiat currency');
  const method = enabledDepositMethods(terms.account, input.code).find((one) => one.bankCode === request.paymentMethod);
  if (method === undefined) return new Refused('Payment method not found');
  const side = outputSide(terms, input, request.outputCurrency, quoted);
  if (side instanceof Refused) return side;
  const { type, code } = side.output;
  if (request.balanceType !== type) return new Refused(`balanceType must be ${type} for this outputCurrency`);
  const amount = onlyAmount(request);
  if (amount instanceof Refused) return amount;
  const paid = Money.ofOptional(request.inputAmount, input.code);
  const priced =
    paid === undefined
      ? priceOfOutput(input, method, side, Money.of(amount, code))
      : (outsideLimits(method, paid) ?? priceOfInput(input, method, side, paid));
  if (priced instanceof Refused) return priced;
  return (
    outsideLimits(method, priced.input) ?? {
      ...priced,
      depositType: 'fiat',
      paymentMethod: method.bankCode,
      ...extrasOf(terms.sandbox, request),
    }
  );
};

/** Checks and prices a crypto deposit. */
export const composeCryptoDeposit = (
  terms: DepositTerms,
  request: CryptoDepositRequest,
  quoted: Conversion | undefined,
): DepositDraft | Refused => {
  const token = tokenOf(request.inputCurrency);
  const charge = tokenCharge(request.inputCurrency);
  if (token === undefined || charge === undefined) return new Refused('Crypto not found');
  const side = outputSide(terms, token, request.outputCurrency ?? token.code, quoted);
  if (side instanceof Refused) return side;
  const priced = priceOfInput(token, charge, side, Money.of(request.inputAmount, token.code));
  if (priced instanceof Refused) return priced;
  return { ...priced, depositType: 'crypto', ...extrasOf(terms.sandbox, request) };
};
