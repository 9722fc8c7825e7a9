import * as z from 'zod';
import { accountSchema } from '../account.ts';
import { fiatCurrencyOf } from '../money/currencies.ts';
import { isWithinLimits, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import { Refused } from '../refused.ts';
import type { DepositDraft, DepositPrice } from './deposit.ts';
import type { DepositMethod } from './deposit-methods.ts';
import { enabledDepositMethods } from './deposit-methods.ts';
import type { PriceTerms } from './price-deposit.ts';
import { outputSide, priceOfInput, priceOfOutput } from './price-deposit.ts';

/** The fields of a checkout that its item contains as they are. */
export const checkoutFields = z.object({
  checkoutId: z.string(),
  /** The account when the checkout was created. Features enabled later do not change an open page. */
  account: accountSchema,
  /** The fiat currency that the customer pays in. */
  inputCurrency: z.string(),
  outputCurrency: z.string(),
  /** Describes the order. The page shows it. */
  description: z.string().optional(),
  /** The page links back to this URL of the merchant. */
  returnUrl: z.string().optional(),
  createdAt: z.string(),
  /**
   * ISO 8601 UTC. From then on no method can be picked. Nor can the deposit be paid, unless a sandbox update has set its
   * status.
   */
  expiresAt: z.string(),
});

/** A payment page and the one deposit that it can make. Both have the same id. It has at least one of the amounts. */
export interface Checkout extends Readonly<z.infer<typeof checkoutFields>> {
  readonly inputAmount?: Money | undefined;
  /** The least that the merchant must receive. */
  readonly outputAmount?: Money | undefined;
}

/** A request for a checkout. */
export type CheckoutRequest = Omit<Checkout, 'checkoutId' | 'account' | 'createdAt' | 'expiresAt'>;

/** One way to pay a checkout, with its price. */
export interface CheckoutOffer {
  readonly method: DepositMethod;
  readonly price: DepositPrice;
}

/** @param random 32 hexadecimal digits, so that nobody can guess a page's address */
export const checkoutIdFrom = (random: string): string => `chk_${random}`;

export const isCheckoutId = (text: string): boolean => /^chk_[0-9a-f]{32}$/.test(text);

export const isCheckoutOpen = (checkout: Checkout, now: Date): boolean =>
  now.getTime() < Date.parse(checkout.expiresAt);

/**
 * The enabled methods that can pay a checkout, each with its price at the current rate: at least one, or a refusal.
 * When the request has both amounts, the customer pays `inputAmount`, by a method that leaves at least `outputAmount`.
 */
export const checkoutOffers = (terms: PriceTerms, request: CheckoutRequest): readonly CheckoutOffer[] | Refused => {
  const input = fiatCurrencyOf(request.inputCurrency);
  if (input === undefined) return new Refused('inputCurrency is not a supported fiat currency');
  const { inputAmount, outputAmount, outputCurrency } = request;
  if (inputAmount === undefined && outputAmount === undefined)
    return new Refused('at least one of inputAmount and outputAmount is required');
  const side = outputSide(terms, input, outputCurrency, undefined);
  if (side instanceof Refused) return side;
  const tooFine = tooManyDecimals('inputAmount', inputAmount) ?? tooManyDecimals('outputAmount', outputAmount);
  if (tooFine !== undefined) return new Refused(tooFine);
  const methods = enabledDepositMethods(terms.account, input.code);
  const offers = methods.flatMap((method): readonly CheckoutOffer[] => {
    const price =
      inputAmount === undefined
        ? priceOfOutput(input, method, side, outputAmount ?? Money.zero(outputCurrency))
        : priceOfInput(input, method, side, inputAmount);
    if (price instanceof Refused) return [];
    const fits =
      isWithinLimits(method, price.input) && (outputAmount === undefined || !price.output.isLessThan(outputAmount));
    return fits ? [{ method, price }] : [];
  });
  if (offers.length > 0) return offers;
  if (methods.length === 0) return new Refused('no payment method is enabled for inputCurrency');
  if (inputAmount === undefined)
    return new Refused('the amount to pay, fees included, is outside the limits of every enabled payment method');
  if (!methods.some((method) => isWithinLimits(method, inputAmount)))
    return new Refused('inputAmount is outside the limits of every enabled payment method');
  const left = outputAmount === undefined ? 'nothing' : 'less than outputAmount';
  return new Refused(`inputAmount leaves ${left} after fees, by every payment method that takes it`);
};

/** The deposit that the customer makes by picking an offer. */
export const draftOfOffer = ({ method, price }: CheckoutOffer): DepositDraft => ({
  ...price,
  depositType: 'fiat',
  paymentMethod: method.bankCode,
  outcome: 'standard',
});
