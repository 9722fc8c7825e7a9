import type { Checkout, CheckoutOffer } from '../domain/deposits/checkout.ts';
import type { Deposit } from '../domain/deposits/deposit.ts';
import type { FiatInstructions } from '../domain/deposits/deposit-instructions.ts';
import { fiatInstructions } from '../domain/deposits/deposit-instructions.ts';
import type { DepositKind, DepositMethod } from '../domain/deposits/deposit-methods.ts';
import { anyDepositMethod } from '../domain/deposits/deposit-methods.ts';
import { Money } from '../domain/money/money.ts';
import type { CheckoutState } from '../store/deposits/checkouts.ts';

/** A payment method that can take the checkout's amount, and what paying by it comes to, in the checkout's currency. */
export interface Offer {
  /** The method's code, which a pick names. */
  readonly paymentMethod: string;
  readonly name: string;
  readonly kind: DepositKind;
  readonly fee: Money;
  /** What the customer pays, the fee in it. */
  readonly total: Money;
}

interface Shared {
  readonly checkoutId: string;
  readonly merchantName: string;
  /** What the order is for, in the merchant’s words. */
  readonly description?: string | undefined;
  /** The way back to the merchant. */
  readonly returnUrl?: string | undefined;
  /** ISO 8601. From then on nothing can be paid here. */
  readonly expiresAt: string;
  /** Whole seconds until then by the service's clock, which need not be that of the customer's phone; 0 afterwards. */
  readonly secondsLeft: number;
  /** Whether there is a button that pays without money. */
  readonly sandbox: boolean;
}

export interface Choosing extends Shared {
  readonly state: 'choosing';
  /** What the merchant asks for; what is paid besides depends on the method. */
  readonly amount: Money;
  /** None, when a rate moved and the amount fits no method's limits any more. */
  readonly offers: readonly Offer[];
}

export interface AwaitingPayment extends Shared {
  readonly state: 'awaiting_payment';
  readonly picked: Offer;
  readonly instructions: FiatInstructions;
}

export interface Completed extends Shared {
  readonly state: 'completed';
  readonly picked: Offer;
  /** ISO 8601. */
  readonly paidAt: string;
}

export interface Expired extends Shared {
  readonly state: 'expired';
  /** Present when a method had been picked: the customer may hold instructions that must not be followed any more. */
  readonly picked?: Offer;
}

/** A checkout as its page shows it. */
export type CheckoutView = Choosing | AwaitingPayment | Completed | Expired;

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
