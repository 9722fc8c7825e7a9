import type { Checkout, CheckoutOffer } from '../domain/deposits/checkout.ts';
import type { Deposit } from '../domain/deposits/deposit.ts';
import { fiatInstructions } from '../domain/deposits/deposit-instructions.ts';
import type { DepositMethod } from '../domain/deposits/deposit-methods.ts';
import { anyDepositMethod } from '../domain/deposits/deposit-methods.ts';
import { Money } from '../domain/money/money.ts';
import type { CheckoutState } from '../store/deposits/checkouts.ts';
import type { CheckoutView, Offer } from './checkout-view.ts';

/** The page says of each method what it is; a name that says it again is too long for a phone. */
const shortName = ({ kind, bankName }: DepositMethod): string =>
  kind === 'va' ? bankName.replace(/ Virtual Account$/, '') : bankName;

const offerOf = ({ method, price }: CheckoutOffer): Offer => ({
  paymentMethod: method.bankCode,
  name: shortName(method),
  kind: method.kind,
  fee: price.fee,
  total: price.input,
});

const pickedOf = ({ input, fee, paymentMethod = '' }: Deposit): Offer => {
  const method = anyDepositMethod(input.currency, paymentMethod);
  if (method === undefined) throw new Error('a checkout’s deposit without a method');
  return { paymentMethod, name: shortName(method), kind: method.kind, fee, total: input };
};

const least = (amounts: readonly Money[]): Money | undefined =>
  amounts.toSorted((a, b) => (a.isLessThan(b) ? -1 : 1))[0];

/**
 * What is asked for, in the currency that is paid in: the input amount where the merchant named it. Otherwise the output
 * amount, and where that is converted, what has to be left of a payment for it.
 */
const askedAmount = (checkout: Checkout, offers: readonly Offer[]): Money => {
  const { inputAmount, outputAmount, inputCurrency, outputCurrency } = checkout;
  if (inputAmount !== undefined) return inputAmount;
  if (inputCurrency === outputCurrency && outputAmount !== undefined) return outputAmount;
  return least(offers.map(({ total, fee }) => total.minus(fee))) ?? Money.zero(inputCurrency);
};

const viewOfDeposit = (checkout: Checkout, deposit: Deposit) => {
  const picked = pickedOf(deposit);
  switch (deposit.status) {
    case 'pending': {
      const instructions = fiatInstructions(deposit, checkout.account.organizationName);
      if (instructions === undefined) throw new Error('a checkout’s deposit without instructions');
      return { state: 'awaiting_payment', picked, instructions } as const;
    }
    case 'completed':
      return { state: 'completed', picked, paidAt: deposit.paidAt ?? deposit.updatedAt } as const;
    case 'expired':
      return { state: 'expired', picked } as const;
  }
};

/** A checkout in the words of its page. */
export const viewOfCheckout = (found: CheckoutState, now: Date, sandbox: boolean): CheckoutView => {
  const { checkout } = found;
  const { checkoutId, expiresAt, account, description, returnUrl } = checkout;
  const shared = {
    checkoutId,
    merchantName: account.organizationName,
    description,
    returnUrl,
    expiresAt,
    secondsLeft: Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000)),
    sandbox,
  };
  switch (found.kind) {
    case 'abandoned':
      return { ...shared, state: 'expired' };
    case 'picked':
      return { ...shared, ...viewOfDeposit(checkout, found.deposit) };
    case 'open': {
      const offers = found.offers.map(offerOf);
      return { ...shared, state: 'choosing', amount: askedAmount(checkout, offers), offers };
    }
  }
};
