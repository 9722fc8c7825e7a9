import type { DisbursementStatus } from '../domain/disbursements/disbursement.ts';
import { statusesOf } from '../domain/disbursements/disbursement.ts';
import type { Context } from '../store/context.ts';
import type { ListId } from '../store/keys.ts';
import { readList } from '../store/lists/read-list.ts';

/** Statuses after which nothing happens by itself. Only a person moves a disbursement out of `need_check`. */
const restingStatuses: ReadonlySet<DisbursementStatus> = new Set(['completed', 'failed', 'canceled', 'need_check']);

/** Large enough to read a list in few requests, small enough to fit in memory. */
const pageSize = 1000;

const groupsWith = async ({ table, accountId }: Context, list: ListId['list'], status: string) => {
  const groups = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = { order: 'created', descending: false, filter: { status }, page: { page, limit: pageSize } } as const;
    const { members, total } = await readList(table, { accountId, list }, query);
    for (const { groupId } of members) groups.add(groupId);
    if (page * pageSize >= total) return groups;
  }
};

/** Wakes the worker for every group and deposit with something left to do: one message each. */
export const wakeUnfinished = async (context: Context): Promise<void> => {
  const groups = new Set<string>();
  for (const rail of ['fiat', 'crypto'] as const) {
    for (const status of statusesOf(rail).filter((one) => !restingStatuses.has(one))) {
      for (const groupId of await groupsWith(context, rail, status)) groups.add(groupId);
    }
  }
  const { accountId } = context;
  const message = () => ({ accountId, postedAt: context.realNow().toISOString() });
  for (const groupId of groups) await context.schedule({ kind: 'group', groupId, ...message() }, 0);
  // The list contains a deposit as a group of one.
  for (const depositId of await groupsWith(context, 'deposit', 'pending')) {
    await context.schedule({ kind: 'deposit', depositId, ...message() }, 0);
  }
};
