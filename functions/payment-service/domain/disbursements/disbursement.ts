import * as z from 'zod';
import { activitySchema } from '../activity.ts';
import type { Rail } from '../money/currencies.ts';
import { Money } from '../money/money.ts';
import { outcomes } from '../sandbox/magic-values.ts';

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

/** A bank account as stored in a disbursement. */
export const bankAccount = z.object({
  bankName: z.string(),
  accountName: z.string(),
  accountNumber: z.string(),
  bankCode: z.string(),
});
export type BankAccount = Readonly<z.infer<typeof bankAccount>>;

export const bankRecipient = z.object({
  kind: z.literal('bank'),
  recipientId: z.string().optional().meta({ description: 'Absent when bank details were given directly.' }),
  email: z.string().optional(),
  name: z.string().optional(),
  bank: bankAccount,
});
export type BankRecipient = Readonly<z.infer<typeof bankRecipient>>;

const walletRecipient = z.object({ kind: z.literal('wallet'), address: z.string() });

const activity = activitySchema(cryptoStatuses);
export type Activity = Readonly<z.infer<typeof activity>>;

/** The fields of a disbursement that its item contains as they are. */
export const disbursementFields = z.object({
  groupId: z.string(),
  /** Position in its group, from 0. */
  position: z.number(),
  feePercentage: z.string(),
  recipient: z.discriminatedUnion('kind', [bankRecipient, walletRecipient]),
  reference: z.string().optional(),
  note: z.string().optional(),
  outcome: z.enum(outcomes),
  status: z.enum(cryptoStatuses),
  /** The events after the creation. The creation's own events follow from the rail. */
  changes: z.array(activity).readonly(),
  /** The number of settlement steps already taken. */
  stepsTaken: z.number(),
  /** Increases by one with each change. A change is written only if the version it was based on is still current. */
  version: z.number(),
  /** The random id of the last change by hand. */
  changeId: z.string().optional(),
  completedAt: z.string().optional(),
  /** Crypto only, from the moment it is sent. */
  txHash: z.string().optional(),
});

export interface Disbursement extends Readonly<z.infer<typeof disbursementFields>> {
  readonly amount: Money;
  /** On top of the amount, in its currency. */
  readonly fee: Money;
  readonly disbursementId: string;
  readonly accountId: string;
  readonly rail: Rail;
  /** Its position in the list's order of last changes. The creation counts as a change. */
  readonly changeNumber: number;
  /** The balance of its currency just before and just after the debit. */
  readonly balanceBefore: Money;
  readonly balanceAfter: Money;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One item of a POST: priced and checked, but not paid. */
export type DisbursementDraft = Pick<
  Disbursement,
  'amount' | 'fee' | 'feePercentage' | 'recipient' | 'reference' | 'note' | 'outcome'
>;

/** The disbursements of one POST in one currency. All groups of a POST are created, or none. */
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
  const sent = entry('Sent to bank', 'The transfer was handed to the bank');
  return disbursement.rail === 'fiat' ? [requested, reserved, sent] : [requested, reserved];
};
