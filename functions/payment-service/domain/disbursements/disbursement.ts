import type { Rail } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { Money } from '../money/money.ts';
import type { Outcome } from '../sandbox/magic-values.ts';

export const fiatStatuses = ['pending', 'failed', 'completed'] as const;
export const cryptoStatuses = [
  'pending',
  'pending_retry',
  'processed',
  'completed',
  'canceled',
  'failed',
  'need_check',
] as const;

/** Fiat uses three of them. */
export type DisbursementStatus = (typeof cryptoStatuses)[number];

export const statusesOf = (rail: Rail): readonly DisbursementStatus[] =>
  rail === 'fiat' ? fiatStatuses : cryptoStatuses;

/** One thing that happened to a disbursement. */
export interface Activity {
  readonly activity: string;
  readonly status: DisbursementStatus;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** A bank account as a disbursement carries it. */
export interface BankAccount {
  readonly bankName: string;
  readonly accountName: string;
  readonly accountNumber: string;
  readonly bankCode: string;
}

export interface BankRecipient {
  readonly kind: 'bank';
  /** Absent when bank details were given directly. */
  readonly recipientId?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly bank: BankAccount;
}

export interface WalletRecipient {
  readonly kind: 'wallet';
  readonly address: string;
}

/** What one item of a POST asks for, priced and checked, not paid yet. */
export interface DisbursementDraft {
  readonly amount: Money;
  /** On top of the amount, in its currency. */
  readonly fee: Money;
  readonly feePercentage: Decimal;
  readonly recipient: BankRecipient | WalletRecipient;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  readonly outcome: Outcome;
}

/** The disbursements of one POST: one rail and one currency, created together or not at all. */
export interface GroupDraft {
  readonly rail: Rail;
  readonly currency: string;
  readonly items: readonly DisbursementDraft[];
}

/** The sum of all amounts of a group, or of all its fees. */
export const totalOf = ({ currency, items }: Omit<GroupDraft, 'rail'>, part: 'amount' | 'fee'): Money =>
  Money.sum(
    currency,
    items.map((item) => item[part]),
  );

export interface Disbursement extends DisbursementDraft {
  readonly disbursementId: string;
  readonly groupId: string;
  /** Place in its group, from 0. */
  readonly position: number;
  readonly accountId: string;
  readonly rail: Rail;
  readonly status: DisbursementStatus;
  /** What happened after the creation; the entries of the creation itself follow from the rail. */
  readonly changes: readonly Activity[];
  /** Steps of its settlement plan that were taken. */
  readonly stepsTaken: number;
  /** Raised by one with each change; a change is written only on top of the version it was decided on. */
  readonly version: number;
  /** The number of its last change, or of its creation, in the order of last changes of its list. */
  readonly changeNumber: number;
  /** The balance of its currency just before and just after it was debited. */
  readonly balanceBefore: Money;
  readonly balanceAfter: Money;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string | undefined;
  /** Crypto, once it was sent. */
  readonly txHash?: string | undefined;
}

/** The activity entries that every new disbursement has: fiat three pending ones, as the document says. */
export const creationActivities = (disbursement: Pick<Disbursement, 'rail' | 'createdAt'>): readonly Activity[] => {
  const entry = (activity: string, description: string): Activity => ({
    activity,
    status: 'pending',
    description,
    updatedAt: disbursement.createdAt,
  });
  const requested = entry('Disbursement requested', 'The request was received and checked');
  const reserved = entry('Balance debited', 'Amount and fee were taken from the balance');
  switch (disbursement.rail) {
    case 'fiat':
      return [requested, reserved, entry('Sent to bank', 'The transfer was handed to the bank')];
    case 'crypto':
      return [requested, reserved];
  }
};
