import * as z from 'zod';
import { activitySchema } from '../activity.ts';
import type { Money } from '../money/money.ts';
import { depositOutcomes } from '../sandbox/magic-values.ts';

export const depositTypes = ['fiat', 'crypto'] as const;
export type DepositType = (typeof depositTypes)[number];

export const depositStatuses = ['pending', 'expired', 'completed'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

const activity = activitySchema(depositStatuses);

/** The fields of a deposit that its item contains as they are. */
export const depositFields = z.object({
  depositId: z.string(),
  accountId: z.string(),
  depositType: z.enum(depositTypes),
  feePercentage: z.string(),
  /** Fiat per token, or output per unit of input between two of a type. Undefined when nothing is converted. */
  exchangeRate: z.string().optional(),
  /** The bank code of its method. Fiat only. */
  paymentMethod: z.string().optional(),
  reference: z.string().optional(),
  note: z.string().optional(),
  outcome: z.enum(depositOutcomes),
  status: z.enum(depositStatuses),
  /** The events after the creation. */
  changes: z.array(activity).readonly(),
  /** Increases by one with each change. A change is written only if the version it was based on is still current. */
  version: z.number(),
  /** The random id of the last change. Undefined before the first one. */
  changeId: z.string().optional(),
  /** Positions in the two orders of its account's list, both from 1. `changeNumber` is renewed with every change. */
  listNumber: z.number(),
  changeNumber: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiredAt: z.string(),
  paidAt: z.string().optional(),
});

export interface Deposit extends Readonly<z.infer<typeof depositFields>> {
  /** The exact amount that the payer pays. */
  readonly input: Money;
  /** In the input currency. Deducted from the amount paid. */
  readonly fee: Money;
  /** The amount that the balance gains, after the conversion fee. */
  readonly output: Money;
  /** In the output currency. Undefined when nothing is converted. */
  readonly conversionFee?: Money | undefined;
}

/** The amount paid in, and the amount that reaches the balance. */
export type DepositPrice = Pick<
  Deposit,
  'input' | 'fee' | 'feePercentage' | 'output' | 'conversionFee' | 'exchangeRate'
>;

/** A deposit as a POST or a customer on the checkout page requests it: priced and checked, but not stored. */
export interface DepositDraft
  extends DepositPrice,
    Pick<Deposit, 'depositType' | 'paymentMethod' | 'reference' | 'note' | 'outcome'> {
  /** The creation uses the quote up. */
  readonly quoteId?: string | undefined;
}

/** @param random 24 hexadecimal digits */
export const depositIdFrom = (random: string): string => `dep_${random}`;

/** The first event of every deposit's history. */
export const creationActivity = ({ createdAt, depositType }: Deposit): Deposit['changes'][number] => ({
  activity: 'Deposit created',
  status: 'pending',
  description: depositType === 'fiat' ? 'Waiting for the payment' : 'Waiting for the transfer to the wallet',
  updatedAt: createdAt,
});
