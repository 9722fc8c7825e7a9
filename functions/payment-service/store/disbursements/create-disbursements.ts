import { debitOf } from '../../domain/disbursements/compose-group.ts';
import type { Disbursement, GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { groupIdFrom } from '../../domain/disbursements/disbursement-id.ts';
import { disbursementEntry } from '../../domain/disbursements/ledger-entries.ts';
import { settlementPlan } from '../../domain/disbursements/settlement-plan.ts';
import type { Strike } from '../../domain/sandbox/faults.ts';
import { moveBalance, readBalance } from '../balances.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { joinList, momentIn, nextPlace, readListCount } from '../lists/list-changes.ts';
import { retryConflicts } from '../retry.ts';
import { longestDelaySeconds } from '../settlement-queue.ts';
import type { TransactItem } from '../table.ts';
import { edits, failedCondition, putNew, transact, updateNow } from '../table.ts';
import { abandonGroup } from './abandon-group.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { newDisbursementItems, newGroupItem, readDisbursementItem } from './disbursement-item.ts';
import { indexValues } from './index-values.ts';
import type { GroupDrafts, NewGroup, NewGroups, ReferenceRefusal } from './reserve-references.ts';
import { refusedReference, reserveReferences } from './reserve-references.ts';

/** The reasons why a POST created nothing. */
export type GroupRefusal = ReferenceRefusal | { readonly kind: 'insufficient_balance' };

type CreatedDisbursements =
  | { readonly kind: 'created'; readonly disbursements: readonly Disbursement[] }
  | GroupRefusal;

/**
 * Wakes the worker when the group's first step is due. It deletes a group that is not committed a minute after its POST
 * began.
 */
const scheduleSettlement = async (context: Context, { groupId, rail, items }: NewGroup): Promise<void> => {
  const { accountId, settings } = context;
  const firstSteps = items.flatMap(
    ({ outcome }, position) => settlementPlan(settings.settlement, { rail, outcome, position })[0]?.afterSeconds ?? [],
  );
  await context.schedule(
    { kind: 'group', groupId, accountId, postedAt: context.realNow().toISOString() },
    Math.min(longestDelaySeconds, ...firstSteps),
  );
};

type Committed = readonly CommittedGroup[] | 'insufficient_balance' | 'busy';

/** The transaction that commits the groups: balances, visibility and list places. */
const tryCommit = async (context: Context, drafts: NewGroups): Promise<Committed | 'again'> => {
  const { table, accountId } = context;
  const [{ rail }] = drafts;
  const list = { ...context, list: rail };
  const [count, ...balances] = await Promise.all([
    readListCount(list),
    ...drafts.map(async (draft) => ({ draft, balance: await readBalance(context, draft.currency) })),
  ]);
  const createdAt = momentIn(count, context.now().toISOString());
  const joining = drafts.map(({ groupId, currency, items }) => ({ groupId, part: currency, size: items.length }));
  const groups: CommittedGroup[] = [];
  const money: TransactItem[] = [];
  for (const [index, { draft, balance }] of balances.entries()) {
    const { groupId, currency, items } = draft;
    const move = moveBalance(context, balance, disbursementEntry({ id: groupId, at: createdAt }, draft));
    if (move === undefined) return 'insufficient_balance';
    const shared = { groupId, accountId, rail, currency, count: items.length, createdAt };
    groups.push({ ...shared, ...nextPlace(count, index), state: 'committed', balanceBefore: balance.amount });
    money.push(...move);
  }
  const canceled = await transact(table, [
    ...groups.map((group) => putNew(newGroupItem(group))),
    ...joinList(list, count, joining, createdAt),
    ...money,
  ]);
  if (canceled === undefined) return groups;
  // Items of the groups come first. One exists already only if the worker has abandoned this POST, or if an attempt that the
  // client had given up was written late.
  return groups.some((_, index) => failedCondition(canceled, index)) ? 'busy' : 'again';
};

/** Commits the groups, or abandons them. An attempt that the client had given up may have committed them meanwhile. */
const commit = async (context: Context, groups: NewGroups): Promise<Committed> => {
  const committed = (await retryConflicts(context, () => tryCommit(context, groups))) ?? 'busy';
  if (typeof committed !== 'string') return committed;
  const found = await Array.fromAsync(groups, ({ groupId, items }) => abandonGroup(context, groupId, items));
  const late = found.filter((group) => group !== undefined);
  return late.length === groups.length ? late : committed;
};

/** The money has moved, and the POST must be answered in time: three short waits. The worker can take longer. */
const indexingAttempts = 4;

type NewItems = ReturnType<typeof newDisbursementItems>;

/**
 * Writes all items in one transaction, and none of them twice: a write that arrives late would undo what the settlement did to
 * an item, and its money would be returned again.
 */
const writeOnce = async (context: Context, items: NewItems): Promise<void> => {
  const written = await retryConflicts(context, async () => {
    const canceled = await transact(context.table, items.map(putNew));
    // The ids of their groups are new, so only an attempt of this transaction can have written them.
    return canceled === undefined || failedCondition(canceled, 0) ? 'written' : 'again';
  });
  if (written === undefined) throw new Error('the disbursements could not be written');
};

const isStandard = ({ outcome }: Pick<Disbursement, 'outcome'>): boolean => outcome === 'standard';

/** Turns invisible disbursements that would complete into ones that fail after they completed. */
const revertLater = async ({ table }: Context, items: NewItems): Promise<NewItems> => {
  const revert = { outcome: 'revert' } as const;
  await Promise.all(items.filter(isStandard).map(({ pk, sk }) => updateNow(table, { pk, sk }, edits({ set: revert }))));
  return items.map((item) => (isStandard(item) ? { ...item, ...revert } : item));
};

/**
 * Creates all groups or none. A crash before the commit leaves nothing paid and nothing visible, and the worker deletes
 * the leftovers:
 *
 * 1. schedule the settlement of each group;
 * 2. write the items, in one transaction: they are invisible until their group is committed;
 * 3. reserve all references, in one transaction;
 * 4. commit balances, ledger entries, groups and list places, in one transaction (at most 51 items for seven currencies);
 * 5. index crypto disbursements by their values, for filtered lists.
 *
 * @param isReverted whether the disbursements shall fail after they completed. Asked only when the references are reserved, so
 * that a refused POST uses up no fault
 */
const createGroups = async (
  context: Context,
  drafts: GroupDrafts,
  isReverted: () => Promise<boolean>,
): Promise<CreatedDisbursements> => {
  for (const draft of drafts) {
    const balance = await readBalance(context, draft.currency);
    // The POST may repeat one that spent the balance, and whose answer was lost. Then its references say so.
    if (balance.amount.isLessThan(debitOf(draft)))
      return (await refusedReference(context, drafts)) ?? { kind: 'insufficient_balance' };
  }
  const named = (draft: GroupDraft): NewGroup => ({ ...draft, groupId: groupIdFrom(context.randomHex()) });
  const [first, ...others] = drafts;
  const groups: NewGroups = [named(first), ...others.map(named)];
  for (const group of groups) await scheduleSettlement(context, group);
  const written = groups.flatMap(newDisbursementItems);
  await writeOnce(context, written);
  const reserved = await reserveReferences(context, groups);
  if (reserved.kind !== 'reserved') return reserved;
  const items = (await isReverted()) ? await revertLater(context, written) : written;
  const committed = await commit(context, groups);
  if (typeof committed === 'string') return { kind: committed };
  const made = committed.map((group) => ({
    group,
    own: items.filter((item) => item.groupId === group.groupId).map((item) => readDisbursementItem(group, item)),
  }));
  for (const { group, own } of made) {
    // The money has moved, so an error would be wrong. The worker indexes the rest.
    await indexValues(context, group, own, indexingAttempts).catch(() => false);
  }
  return { kind: 'created', disbursements: made.flatMap(({ own }) => own) };
};

/** Makes a list filtered by reference show a later disbursement too. A lookup still finds the first. */
const addToReference = async ({ table, accountId }: Context, { reference, disbursementId }: Disbursement) => {
  if (reference === undefined) return;
  await updateNow(table, keys.reference(accountId, reference), edits({ add: { laterIds: new Set([disbursementId]) } }));
};

/** Whether the balance that was left by a crypto POST, which has one currency, covers the same disbursements again. */
const isCoveredAgain = ([draft]: GroupDrafts, made: readonly Disbursement[]): boolean =>
  draft.rail === 'crypto' && made.at(-1)?.balanceAfter.isLessThan(debitOf(draft)) === false;

/**
 * Creates every disbursement of a POST, or none. The merchant's faults can strike here: disbursements that change after
 * they ended, and crypto disbursements that are created twice, with the same references. With a fault, money moves by the
 * same transactions as without.
 */
export const createDisbursements = async (context: Context, drafts: GroupDrafts): Promise<CreatedDisbursements> => {
  const { strike } = context;
  let reverts: ReturnType<Strike> | undefined;
  const isReverted = async (): Promise<boolean> => {
    reverts ??= strike('change-after-end', () => drafts.some(({ items }) => items.some(isStandard)));
    return (await reverts) !== undefined;
  };
  const made = await createGroups(context, drafts, isReverted);
  const twice = await strike(
    'reference-twice',
    () => made.kind === 'created' && isCoveredAgain(drafts, made.disbursements),
  );
  if (twice === undefined) return made;
  const settings = { ...context.settings, reusableCryptoReferences: true };
  const again = await createGroups({ ...context, settings }, drafts, isReverted);
  if (again.kind === 'created') await Promise.all(again.disbursements.map((one) => addToReference(context, one)));
  return made;
};
