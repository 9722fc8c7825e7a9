import type { FiatInstructions } from '../domain/deposits/deposit-instructions.ts';
import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import type { Money } from '../domain/money/money.ts';

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
