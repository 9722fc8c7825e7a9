import type { Conversion } from '../conversions/conversion.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { isWithinLimits } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import type { Refused } from '../refused.ts';
import { refused } from '../refused.ts';
import { outcomeForDeposit } from '../sandbox/magic-values.ts';
import type { DepositDraft } from './deposit.ts';
import type { DepositMethod } from './deposit-methods.ts';
import { depositMethodOf, tokenCharge } from './deposit-methods.ts';
import type { PriceTerms } from './price-deposit.ts';
import { outputSide, priceOfInput, priceOfOutput } from './price-deposit.ts';

export interface DepositTerms extends PriceTerms {
  readonly sandbox: boolean;
}

interface Extras {
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  readonly quoteId?: string | undefined;
}

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

export type ComposedDeposit = { readonly kind: 'composed'; readonly draft: DepositDraft } | Refused;

type Wanted = { readonly kind: 'input' | 'output'; readonly amount: Decimal } | Refused;

/** The request's one amount: the amount paid, or the amount to arrive, in the field for its currency's type. */
const wantedAmount = ({ inputAmount, outputAmount, balanceType }: FiatDepositRequest): Wanted => {
  const given = [inputAmount, outputAmount?.fiat, outputAmount?.crypto].filter((amount) => amount !== undefined);
  const [amount] = given;
  if (amount === undefined || given.length > 1 || (inputAmount !== undefined && outputAmount !== undefined)) {
    return refused('exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required');
  }
  if (inputAmount !== undefined) return { kind: 'input', amount };
  return outputAmount?.[balanceType] === undefined
    ? refused(`outputAmount.${balanceType} is the member for outputCurrency`)
    : { kind: 'output', amount };
};

const outsideLimits = (method: DepositMethod, paid: Money): Refused | undefined => {
  if (isWithinLimits(method, paid)) return undefined;
  const { minAmount, maxAmount } = method;
  return refused(
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
): ComposedDeposit => {
  const input = fiatCurrencyOf(request.inputCurrency);
  if (input === undefined) return refused('inputCurrency is not a supported fiat currency');
  const method = depositMethodOf(terms.account, input.code, request.paymentMethod);
  if (method === undefined) return refused('Payment method not found');
  const side = outputSide(terms, input, request.outputCurrency, quoted);
  if (side.kind === 'refused') return side;
  const { type, code } = side.output;
  if (request.balanceType !== type) return refused(`balanceType must be ${type} for this outputCurrency`);
  const wanted = wantedAmount(request);
  if (wanted.kind === 'refused') return wanted;
  const paid = wanted.kind === 'input' ? Money.of(wanted.amount, input.code) : undefined;
  const early = paid && outsideLimits(method, paid);
  if (early !== undefined) return early;
  const priced =
    paid === undefined
      ? priceOfOutput(input, method, side, Money.of(wanted.amount, code))
      : priceOfInput(input, method, side, paid);
  if (priced.kind === 'refused') return priced;
  return (
    outsideLimits(method, priced.price.input) ?? {
      kind: 'composed',
      draft: {
        ...priced.price,
        depositType: 'fiat',
        paymentMethod: method.bankCode,
        ...extrasOf(terms.sandbox, request),
      },
    }
  );
};

/** Checks and prices a crypto deposit. */
export const composeCryptoDeposit = (
  terms: DepositTerms,
  request: CryptoDepositRequest,
  quoted: Conversion | undefined,
): ComposedDeposit => {
  const token = tokenOf(request.inputCurrency);
  const charge = tokenCharge(request.inputCurrency);
  if (token === undefined || charge === undefined) return refused('Crypto not found');
  const side = outputSide(terms, token, request.outputCurrency ?? token.code, quoted);
  if (side.kind === 'refused') return side;
  const priced = priceOfInput(token, charge, side, Money.of(request.inputAmount, token.code));
  if (priced.kind === 'refused') return priced;
  return {
    kind: 'composed',
    draft: { ...priced.price, depositType: 'crypto', ...extrasOf(terms.sandbox, request) },
  };
};
