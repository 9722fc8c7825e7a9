import * as z from 'zod';
import type { GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { disbursementIdAt } from '../../domain/disbursements/disbursement-id.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { getAll } from '../many-items.ts';
import { retryConflicts } from '../retry.ts';
import type { Table, TransactItem } from '../table.ts';
import { failedCondition, putNew, transact } from '../table.ts';
import { readGroup } from './read-group.ts';

/** The groups of one POST: all on one rail, one per currency. */
export type GroupDrafts = readonly [GroupDraft, ...GroupDraft[]];

export type NewGroup = GroupDraft & { readonly groupId: string };

/** The same with their ids. */
export type NewGroups = readonly [NewGroup, ...NewGroup[]];

export type ReferenceRefusal =
  | { readonly kind: 'reference_used'; readonly reference: string }
  /** The reference belongs to a POST that is undecided, or was interrupted and not yet deleted. */
  | { readonly kind: 'reference_in_progress'; readonly reference: string }
  | { readonly kind: 'busy' };

type Reserved = { readonly kind: 'reserved' } | ReferenceRefusal;

/** The item of a taken reference. */
const holder = z.object({ groupId: z.string(), reference: z.string() });
type Holder = z.infer<typeof holder>;

/** The same, marshalled. */
const marshalledHolder = z
  .object({ groupId: z.object({ S: z.string() }), reference: z.object({ S: z.string() }) })
  .transform(({ groupId, reference }): Holder => ({ groupId: groupId.S, reference: reference.S }));

const mayReuse = ({ settings }: Context, [{ rail }]: GroupDrafts): boolean =>
  rail === 'crypto' && settings.reusableCryptoReferences;

/** Returns why one of these taken references is refused; undefined when all may be reused. Reads each holding group once. */
const refusalFor = async (
  table: Table,
  taken: readonly Holder[],
  isReusable: boolean,
): Promise<ReferenceRefusal | undefined> => {
  const read = new Set<string>();
  for (const { groupId, reference } of taken) {
    if (read.has(groupId)) continue;
    read.add(groupId);
    const group = await readGroup(table, groupId);
    if (group === undefined) return { kind: 'reference_in_progress', reference };
    if (!isReusable || group.rail !== 'crypto') return { kind: 'reference_used', reference };
  }
  return undefined;
};

/** Returns why a reference of a POST would be refused now; undefined when none would be. Reserves nothing. */
export const refusedReference = async (
  context: Context,
  drafts: GroupDrafts,
): Promise<ReferenceRefusal | undefined> => {
  const references = drafts.flatMap(({ items }) => items.flatMap(({ reference }) => reference ?? []));
  const wanted = references.map((reference) => keys.reference(context.accountId, reference));
  const taken = (await getAll(context, wanted)).map((item) => holder.parse(item));
  return await refusalFor(context.table, taken, mayReuse(context, drafts));
};

const writesOf = ({ accountId }: Context, { groupId, rail, items }: NewGroup): readonly TransactItem[] =>
  items.flatMap(({ reference }, position) => {
    if (reference === undefined) return [];
    const disbursementId = disbursementIdAt(groupId, position);
    const item = { ...keys.reference(accountId, reference), reference, groupId, rail, disbursementId };
    return [{ Put: { ...putNew(item).Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } }];
  });

/**
 * Reserves all references of the groups in one transaction, or none. Where crypto references are reusable, one that a wallet
 * transfer holds stays with that disbursement, which lookups find, and the rest are reserved. One that a bank transfer holds is
 * refused, because a lookup on the crypto rail would not find it. So is one that an undecided POST holds.
 */
export const reserveReferences = async (context: Context, groups: NewGroups): Promise<Reserved> => {
  let wanted = groups.flatMap((group) => writesOf(context, group));
  const outcome = await retryConflicts(context, async (): Promise<Reserved | 'again'> => {
    if (wanted.length === 0) return { kind: 'reserved' };
    const canceled = await transact(context.table, wanted);
    if (canceled === undefined) return { kind: 'reserved' };
    const reasons = canceled.CancellationReasons ?? [];
    const taken = reasons.flatMap(({ Item }, index) =>
      failedCondition(canceled, index) ? [marshalledHolder.parse(Item)] : [],
    );
    // An attempt that the client had given up may have reserved them for this POST.
    const others = taken.filter(({ groupId }) => !groups.some((own) => own.groupId === groupId));
    const refusal = await refusalFor(context.table, others, mayReuse(context, groups));
    if (refusal !== undefined) return refusal;
    wanted = wanted.filter((_, index) => !failedCondition(canceled, index));
    return wanted.length === 0 ? { kind: 'reserved' } : 'again';
  });
  return outcome ?? { kind: 'busy' };
};
