import type { Decimal } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import type { DepositOutcome } from '../sandbox/magic-values.ts';

export const depositTypes = ['fiat', 'crypto'] as const;
export type DepositType = (typeof depositTypes)[number];

export const depositStatuses = ['pending', 'expired', 'completed'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** One thing that happened to a deposit. */
export interface DepositActivity {
  readonly activity: string;
  readonly status: DepositStatus;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** What is paid in and what it becomes. */
export interface DepositPrice {
  /** What the payer pays, exactly. */
  readonly input: Money;
  /** In the input currency, taken off what was paid. */
  readonly fee: Money;
  readonly feePercentage: Decimal;
  /** What the balance gains, after the conversion fee. */
  readonly output: Money;
  /** In the output currency; undefined when nothing is converted. */
  readonly conversionFee?: Money | undefined;
  /** Fiat for one token, and of two of a kind, output for one unit of input; undefined when nothing is converted. */
  readonly exchangeRate?: Decimal | undefined;
}

/** What a POST, or a customer on the checkout page, asks for: priced and checked, not written yet. */
export interface DepositDraft extends DepositPrice {
  readonly depositType: DepositType;
  /** The bank code of its method; fiat only. */
  readonly paymentMethod?: string | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  /** Used up by the creation. */
  readonly quoteId?: string | undefined;
  readonly outcome: DepositOutcome;
}

export interface Deposit extends Omit<DepositDraft, 'quoteId'> {
  readonly depositId: string;
  readonly accountId: string;
  readonly status: DepositStatus;
  /** What happened after the creation. */
  readonly changes: readonly DepositActivity[];
  /** Raised by one with each change; a change is written only on top of the version it was decided on. */
  readonly version: number;
  /** Where it is in the two orders of its account's list, both from 1: `changeNumber` changes with every change. */
  readonly listNumber: number;
  readonly changeNumber: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiredAt: string;
  readonly paidAt?: string | undefined;
}

/** @param random 24 hexadecimal digits */
export const depositIdFrom = (random: string): string => `dep_${random}`;

/** The entry that every deposit's history begins with. */
export const creationActivity = ({ createdAt, depositType }: Deposit): DepositActivity => ({
  activity: 'Deposit created',
  status: 'pending',
  description: depositType === 'fiat' ? 'Waiting for the payment' : 'Waiting for the transfer to the wallet',
  updatedAt: createdAt,
});
