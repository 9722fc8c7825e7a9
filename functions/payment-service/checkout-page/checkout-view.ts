import type { Checkout } from '../domain/deposits/checkout.ts';
import type { Deposit, DepositPrice } from '../domain/deposits/deposit.ts';
import { fiatInstructions } from '../domain/deposits/deposit-instructions.ts';
import type { DepositMethod } from '../domain/deposits/deposit-methods.ts';
import { methodOfDeposit } from '../domain/deposits/deposit-methods.ts';
import { Money } from '../domain/money/money.ts';
import type { CheckoutState } from '../store/deposits/checkouts.ts';

/** A payment method that accepts the checkout's amount, with its fee and total in the checkout's currency. */
export type Offer = Readonly<ReturnType<typeof offerOf>>;

/** The data that a checkout's page shows. */
export type CheckoutView = Readonly<ReturnType<typeof viewOfCheckout>>;

/** The data of the page in one state. */
export type ViewIn<State extends CheckoutView['state']> = Extract<CheckoutView, { readonly state: State }>;

const offerOf = (method: DepositMethod, { fee, input }: DepositPrice) => ({
  /** The method's code, which identifies the customer's choice. */
  paymentMethod: method.bankCode,
  /** Without its kind. The page shows the kind anyway, and phones are narrow. */
  name: method.bankName.replace(/ Virtual Account$/, ''),
  kind: method.kind,
  fee,
  /** The amount that the customer pays, fee included. */
  total: input,
});

/**
 * The requested amount, in the currency of the payment: the input amount if the merchant named it, otherwise the output
 * amount. An input amount includes the method's fee; an output amount does not. When that is converted, it is the amount
 * that a payment must leave after its fee. Without offers, that is unknown, and the output amount is shown in its own
 * currency.
 */
const askedAmount = (checkout: Checkout, offers: readonly Offer[]): Money => {
  const { inputAmount, outputAmount, inputCurrency, outputCurrency } = checkout;
  if (inputAmount !== undefined) return inputAmount;
  if (inputCurrency === outputCurrency && outputAmount !== undefined) return outputAmount;
  const left = offers.map(({ total, fee }) => total.minus(fee));
  return left.toSorted((a, b) => (a.isLessThan(b) ? -1 : 1))[0] ?? outputAmount ?? Money.zero(inputCurrency);
};

const viewOfDeposit = (checkout: Checkout, deposit: Deposit) => {
  const method = methodOfDeposit(deposit);
  if (method === undefined) throw new Error('a checkout’s deposit without a method');
  const picked = offerOf(method, deposit);
  switch (deposit.status) {
    case 'pending': {
      const instructions = fiatInstructions(deposit, checkout.account.organizationName);
      if (instructions === undefined) throw new Error('a checkout’s deposit without instructions');
      return { state: 'awaiting_payment', picked, instructions } as const;
    }
    case 'completed':
      return { state: 'completed', picked, paidAt: deposit.paidAt ?? deposit.updatedAt } as const;
    case 'expired':
      // The customer may still have instructions that are no longer valid.
      return { state: 'expired', picked } as const;
  }
};

/** The data for a checkout's page. Its times are in ISO 8601 UTC. */
export const viewOfCheckout = (found: CheckoutState, now: Date, sandbox: boolean) => {
  const { checkout } = found;
  const { checkoutId, expiresAt, account, description, returnUrl } = checkout;
  const shared = {
    checkoutId,
    merchantName: account.organizationName,
    description,
    returnUrl,
    expiresAt,
    /** Whole seconds until its expiry, and 0 afterward, by the service's clock. The customer's phone may show another time. */
    secondsLeft: Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000)),
    /** Whether the page has a button that simulates the payment. */
    sandbox,
  };
  switch (found.kind) {
    case 'abandoned':
      return { ...shared, state: 'expired', picked: undefined } as const;
    case 'picked':
      return { ...shared, ...viewOfDeposit(checkout, found.deposit) };
    case 'open': {
      /** Empty when a rate moved and the amount no longer fits the limits of any method. */
      const offers = found.offers.map(({ method, price }) => offerOf(method, price));
      return { ...shared, state: 'choosing', amount: askedAmount(checkout, offers), offers } as const;
    }
  }
};
