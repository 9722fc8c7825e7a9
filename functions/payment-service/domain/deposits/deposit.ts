import type { Decimal } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import type { DepositOutcome } from '../sandbox/magic-values.ts';

export const depositTypes = ['fiat', 'crypto'] as const;
export type DepositType = (typeof depositTypes)[number];

export const depositStatuses = ['pending', 'expired', 'completed'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** One event in a deposit's history. */
interface DepositActivity {
  readonly activity: string;
  readonly status: DepositStatus;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** The amount paid in, and the amount that reaches the balance. */
export interface DepositPrice {
  /** The exact amount that the payer pays. */
  readonly input: Money;
  /** In the input currency. Deducted from the amount paid. */
  readonly fee: Money;
  readonly feePercentage: Decimal;
  /** The amount that the balance gains, after the conversion fee. */
  readonly output: Money;
  /** In the output currency. Undefined when nothing is converted. */
  readonly conversionFee?: Money | undefined;
  /** Fiat per token, or output per unit of input between two of a type. Undefined when nothing is converted. */
  readonly exchangeRate?: Decimal | undefined;
}

/** A deposit as a POST or a customer on the checkout page requests it: priced and checked, but not stored. */
export interface DepositDraft extends DepositPrice {
  readonly depositType: DepositType;
  /** The bank code of its method. Fiat only. */
  readonly paymentMethod?: string | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  /** The creation uses the quote up. */
  readonly quoteId?: string | undefined;
  readonly outcome: DepositOutcome;
}

export interface Deposit extends Omit<DepositDraft, 'quoteId'> {
  readonly depositId: string;
  readonly accountId: string;
  readonly status: DepositStatus;
  /** The events after the creation. */
  readonly changes: readonly DepositActivity[];
  /** Increases by one with each change. A change is written only if the version it was based on is still current. */
  readonly version: number;
  /** Positions in the two orders of its account's list, both from 1. `changeNumber` is renewed with every change. */
  readonly listNumber: number;
  readonly changeNumber: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiredAt: string;
  readonly paidAt?: string | undefined;
}

/** @param random 24 hexadecimal digits */
export const depositIdFrom = (random: string): string => `dep_${random}`;

/** The first event of every deposit's history. */
export const creationActivity = ({ createdAt, depositType }: Deposit): DepositActivity => ({
  activity: 'Deposit created',
  status: 'pending',
  description: depositType === 'fiat' ? 'Waiting for the payment' : 'Waiting for the transfer to the wallet',
  updatedAt: createdAt,
});
