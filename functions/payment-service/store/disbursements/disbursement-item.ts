import * as z from 'zod';
import type { Disbursement, DisbursementDraft } from '../../domain/disbursements/disbursement.ts';
import { cryptoStatuses } from '../../domain/disbursements/disbursement.ts';
import { disbursementIdAt } from '../../domain/disbursements/disbursement-id.ts';
import { add, subtract } from '../../domain/money/money.ts';
import { outcomes } from '../../domain/sandbox/magic-values.ts';
import { keys } from '../keys.ts';

const bankRecipient = z.object({
  kind: z.literal('bank'),
  recipientId: z.string().optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  bank: z.object({
    bankName: z.string(),
    accountName: z.string(),
    accountNumber: z.string(),
    bankCode: z.string(),
  }),
});

const walletRecipient = z.object({ kind: z.literal('wallet'), address: z.string() });

const activity = z.object({
  activity: z.string(),
  status: z.enum(cryptoStatuses),
  description: z.string(),
  updatedAt: z.string(),
});

/** A disbursement without what its group says of all of them. Changed in place; everything else is written once. */
const disbursementItem = z.object({
  groupId: z.string(),
  position: z.number(),
  amount: z.string(),
  fee: z.string(),
  feePercentage: z.string(),
  recipient: z.discriminatedUnion('kind', [bankRecipient, walletRecipient]),
  reference: z.string().optional(),
  note: z.string().optional(),
  outcome: z.enum(outcomes),
  status: z.enum(cryptoStatuses),
  changes: z.array(activity),
  stepsTaken: z.number(),
  version: z.number(),
  /** Taken from the balance by the group's items before this one. */
  debitedBefore: z.string(),
  /** Written with its first change; until then its group's. */
  changeNumber: z.number().optional(),
  updatedAt: z.string().optional(),
  completedAt: z.string().optional(),
  txHash: z.string().optional(),
});

const committedGroup = z.object({
  state: z.literal('committed'),
  groupId: z.string(),
  accountId: z.string(),
  rail: z.enum(['fiat', 'crypto']),
  currency: z.string(),
  count: z.number(),
  /** Where its disbursements are in the list of the rail: see lists/writes.ts. */
  listNumber: z.number(),
  changeNumber: z.number(),
  /** Of crypto groups: see file-values.ts. */
  isFiled: z.boolean().optional(),
  balanceBefore: z.string(),
  createdAt: z.string(),
});

const abandonedGroup = z.object({ state: z.literal('abandoned'), groupId: z.string() });

const groupItem = z.discriminatedUnion('state', [committedGroup, abandonedGroup]);

export type CommittedGroup = z.infer<typeof committedGroup>;
export type GroupState = z.infer<typeof groupItem>;

export const readGroupItem = (item: unknown): GroupState => groupItem.parse(item);

/** The item of a new disbursement. Its dates and balances are its group's to say, once that is committed. */
export const newDisbursementItem = (
  groupId: string,
  position: number,
  draft: DisbursementDraft,
  debitedBefore: string,
) => ({
  ...keys.disbursement(groupId, position),
  groupId,
  position,
  ...draft,
  status: 'pending',
  changes: [],
  stepsTaken: 0,
  version: 1,
  debitedBefore,
});

/** Puts a disbursement together from its item and its group. */
export const readDisbursementItem = (group: CommittedGroup, item: unknown): Disbursement => {
  const { debitedBefore, updatedAt, changeNumber, ...own } = disbursementItem.parse(item);
  const balanceBefore = subtract(group.balanceBefore, debitedBefore);
  return {
    ...own,
    disbursementId: disbursementIdAt(own.groupId, own.position),
    accountId: group.accountId,
    rail: group.rail,
    currency: group.currency,
    balanceBefore,
    balanceAfter: subtract(balanceBefore, add(own.amount, own.fee)),
    createdAt: group.createdAt,
    updatedAt: updatedAt ?? group.createdAt,
    changeNumber: changeNumber ?? group.changeNumber,
  };
};

const leftover = z.object({ position: z.number(), reference: z.string().optional() });

/** What clearing an abandoned group away needs to know of its items. */
export const readLeftover = (item: unknown): z.infer<typeof leftover> => leftover.parse(item);
