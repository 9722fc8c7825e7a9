import type { DisbursementStatus } from '../domain/disbursements/disbursement.ts';
import { statusesOf } from '../domain/disbursements/disbursement.ts';
import type { Context } from '../store/context.ts';
import type { ListId } from '../store/keys.ts';
import { readList } from '../store/lists/read-list.ts';
import type { SettlementMessage } from '../store/settlement-queue.ts';

/**
 * Statuses after which nothing happens by itself, with one exception: a completed disbursement that will be taken back waits for
 * its own message. Only a person moves a disbursement out of `need_check`.
 */
const restingStatuses: ReadonlySet<DisbursementStatus> = new Set(['completed', 'failed', 'canceled', 'need_check']);

/** Large enough to read a list in few requests, small enough to fit in memory. */
const pageSize = 1000;

/** The connections of the SDK's client. Thousands of messages take seconds, not the minutes of one after the other. */
const messagesAtOnce = 50;

/** Pages are read backward: a member that settles meanwhile moves the later ones to pages that are still to be read. */
const groupsWith = async (context: Context, list: ListId['list'], status: string): Promise<ReadonlySet<string>> => {
  const readPage = (page: number) =>
    readList(
      { ...context, list },
      { order: 'created', descending: false, filter: { status }, page: { page, limit: pageSize } },
    );
  const { members, total } = await readPage(1);
  const found = [...members];
  if (total > pageSize)
    for (let page = Math.ceil(total / pageSize); page >= 1; page -= 1) found.push(...(await readPage(page)).members);
  return new Set(found.map(({ groupId }) => groupId));
};

/** Wakes the worker for every group with a disbursement in another status, and for every pending deposit: one message each. */
export const wakeUnfinished = async (context: Context): Promise<void> => {
  const groups = new Set<string>();
  for (const rail of ['fiat', 'crypto'] as const) {
    for (const status of statusesOf(rail).filter((one) => !restingStatuses.has(one))) {
      for (const groupId of await groupsWith(context, rail, status)) groups.add(groupId);
    }
  }
  const { accountId } = context;
  const common = { accountId, postedAt: context.realNow().toISOString() };
  // The list contains a deposit as a group of one.
  const deposits = await groupsWith(context, 'deposit', 'pending');
  const messages: SettlementMessage[] = [
    ...[...groups].map((groupId) => ({ kind: 'group' as const, groupId, ...common })),
    ...[...deposits].map((depositId) => ({ kind: 'deposit' as const, depositId, ...common })),
  ];
  for (let start = 0; start < messages.length; start += messagesAtOnce) {
    await Promise.all(messages.slice(start, start + messagesAtOnce).map((one) => context.schedule(one, 0)));
  }
};
