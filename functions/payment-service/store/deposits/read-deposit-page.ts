import type { Deposit, DepositStatus, DepositType } from '../../domain/deposits/deposit.ts';
import { isOverdue } from '../../domain/deposits/lifecycle.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { ReadPage } from '../lists/read-list.ts';
import { readList, readWholePage } from '../lists/read-list.ts';
import { getAll } from '../many-items.ts';
import { expireIfOverdue } from './change-deposit.ts';
import { depositItem, depositList } from './deposit-item.ts';

/** A request for a page of deposits. */
export interface DepositList {
  /** Undefined means both. */
  readonly depositTypes?: readonly DepositType[] | undefined;
  readonly status?: DepositStatus | undefined;
  readonly sort: SortOrder;
  readonly page: PageRequest;
}

const readPage = (context: Context, { depositTypes, status, sort, page }: DepositList): Promise<ReadPage<Deposit>> => {
  const filter = { parts: depositTypes, status };
  // The type of a deposit never changes.
  const fits = (one: Deposit): boolean => status === undefined || one.status === status;
  return readWholePage(context, page, fits, async () => {
    const { members, total } = await readList(depositList(context), { ...sort, filter, page });
    const depositIds = members.map(({ groupId }) => groupId);
    const deposits = (await getAll(context, depositIds.map(keys.deposit))).map((item) => depositItem.parse(item));
    const found = new Map(deposits.map((deposit) => [deposit.depositId, deposit]));
    return { docs: depositIds.flatMap((depositId) => found.get(depositId) ?? []), total };
  });
};

/**
 * One page of deposits. Overdue deposits on it are expired, and the page is read again until none is left. So it shows no
 * pending deposit that can no longer be paid, unless the time runs out. The worker expires the others within seconds.
 *
 * @throws ListInUse when something changes during every read
 */
export const readDepositPage = async (context: Context, list: DepositList): Promise<ReadPage<Deposit>> => {
  if (list.depositTypes?.length === 0) return { docs: [], total: 0 };
  for (;;) {
    const page = await readPage(context, list);
    const overdue = page.docs.filter((one) => isOverdue(one, context.now()));
    if (overdue.length === 0 || !context.hasTime()) return page;
    for (const deposit of overdue) await expireIfOverdue(context, deposit);
  }
};
