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

/** Fiat uses three of them: see `fiatStatuses`. */
export type DisbursementStatus = (typeof cryptoStatuses)[number];

export const statusesOf = (rail: Rail): readonly DisbursementStatus[] =>
  rail === 'fiat' ? fiatStatuses : cryptoStatuses;

/** One event in a disbursement's history. */
export interface Activity {
  readonly activity: string;
  readonly status: DisbursementStatus;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** A bank account as stored in a disbursement. */
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

interface WalletRecipient {
  readonly kind: 'wallet';
  readonly address: string;
}

/** One item of a POST: priced and checked, but not paid. */
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

/** The sum of a group's amounts, or of its fees. */
export const totalOf = ({ currency, items }: Omit<GroupDraft, 'rail'>, part: 'amount' | 'fee'): Money =>
  Money.sum(
    currency,
    items.map((item) => item[part]),
  );

export interface Disbursement extends DisbursementDraft {
  readonly disbursementId: string;
  readonly groupId: string;
  /** Position in its group, from 0. */
  readonly position: number;
  readonly accountId: string;
  readonly rail: Rail;
  readonly status: DisbursementStatus;
  /** The events after the creation. The creation's own events follow from the rail. */
  readonly changes: readonly Activity[];
  /** The number of settlement steps already taken. */
  readonly stepsTaken: number;
  /** Increases by one with each change. A change is written only if the version it was based on is still current. */
  readonly version: number;
  /** Its position in the list's order of last changes. The creation counts as a change. */
  readonly changeNumber: number;
  /** The balance of its currency just before and just after the debit. */
  readonly balanceBefore: Money;
  readonly balanceAfter: Money;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string | undefined;
  /** Crypto only, from the moment it is sent. */
  readonly txHash?: string | undefined;
}

/** The first events of every disbursement. The public document requires three pending ones for fiat. */
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
