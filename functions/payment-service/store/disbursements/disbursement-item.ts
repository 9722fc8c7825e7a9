import * as z from 'zod';
import type { Disbursement, GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { disbursementFields } from '../../domain/disbursements/disbursement.ts';
import { disbursementIdAt } from '../../domain/disbursements/disbursement-id.ts';
import { Money } from '../../domain/money/money.ts';
import { keys } from '../keys.ts';

/** A disbursement without the fields that its group stores for all. Changes update it in place. */
const disbursementItem = disbursementFields.extend({
  amount: z.string(),
  fee: z.string(),
  /** The total that the group's earlier items took from the balance. */
  debitedBefore: z.string(),
  /** Set by its first change. Until then, the group's applies. */
  changeNumber: z.number().optional(),
  updatedAt: z.string().optional(),
});

const committedGroupItem = z.object({
  state: z.literal('committed'),
  groupId: z.string(),
  accountId: z.string(),
  rail: z.enum(['fiat', 'crypto']),
  currency: z.string(),
  count: z.number(),
  /** The positions of its disbursements in the rail's list: see lists/list-changes.ts. */
  listNumber: z.number(),
  changeNumber: z.number(),
  /** Crypto groups only: see index-values.ts. */
  isIndexed: z.boolean().optional(),
  /** The former name of `isIndexed`, in older items. */
  isFiled: z.boolean().optional(),
  balanceBefore: z.string(),
  createdAt: z.string(),
});

const abandonedGroup = z.object({ state: z.literal('abandoned') });

export interface CommittedGroup extends Omit<z.infer<typeof committedGroupItem>, 'balanceBefore' | 'isFiled'> {
  readonly balanceBefore: Money;
}

/** A committed group. Undefined when it was abandoned: for every reader, that is like a group without an item. */
export const groupItem = z
  .discriminatedUnion('state', [committedGroupItem, abandonedGroup])
  .transform((group): CommittedGroup | undefined => {
    if (group.state === 'abandoned') return undefined;
    const { isFiled, isIndexed = isFiled, ...rest } = group;
    return { ...rest, isIndexed, balanceBefore: Money.of(rest.balanceBefore, rest.currency) };
  });

/** The item of a group that is being committed. */
export const newGroupItem = (group: CommittedGroup) => ({
  ...keys.group(group.groupId),
  ...group,
  balanceBefore: group.balanceBefore.amount,
});

/** The items of a new group's disbursements. Their dates and balances come from the group, once that is committed. */
export const newDisbursementItems = ({ groupId, currency, items }: GroupDraft & { readonly groupId: string }) => {
  let debitedBefore: Money = Money.zero(currency);
  return items.map((draft, position) => {
    const item = {
      ...keys.disbursement(groupId, position),
      groupId,
      position,
      ...draft,
      amount: draft.amount.amount,
      fee: draft.fee.amount,
      status: 'pending',
      changes: [],
      stepsTaken: 0,
      version: 1,
      debitedBefore: debitedBefore.amount,
    };
    debitedBefore = debitedBefore.plus(draft.amount).plus(draft.fee);
    return item;
  });
};

/** Combines the item of a disbursement and its group. */
export const readDisbursementItem = (group: CommittedGroup, item: unknown): Disbursement => {
  const { debitedBefore, updatedAt, changeNumber, ...own } = disbursementItem.parse(item);
  const amount = Money.of(own.amount, group.currency);
  const fee = Money.of(own.fee, group.currency);
  const balanceBefore = group.balanceBefore.minus(Money.of(debitedBefore, group.currency));
  return {
    ...own,
    amount,
    fee,
    disbursementId: disbursementIdAt(own.groupId, own.position),
    accountId: group.accountId,
    rail: group.rail,
    balanceBefore,
    balanceAfter: balanceBefore.minus(amount).minus(fee),
    createdAt: group.createdAt,
    updatedAt: updatedAt ?? group.createdAt,
    changeNumber: changeNumber ?? group.changeNumber,
  };
};
