import type { Deposit, DepositStatus, DepositType } from '../../domain/deposits/deposit.ts';
import { isOverdue } from '../../domain/deposits/lifecycle.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import { getAll } from '../get-all.ts';
import { keys } from '../keys.ts';
import { readList } from '../lists/reads.ts';
import { readWholePage } from '../lists/whole-page.ts';
import { depositList, readDepositItem } from './deposit-item.ts';
import type { MoveDepositPorts } from './move-deposit.ts';
import { upToDate } from './move-deposit.ts';

export interface DepositList {
  readonly accountId: string;
  /** Undefined: both types. */
  readonly depositType?: DepositType | undefined;
  readonly status?: DepositStatus | undefined;
  readonly sort: SortOrder;
  readonly page: PageRequest;
}

export interface ListedDeposits {
  readonly docs: readonly Deposit[];
  readonly total: number;
}

/** The deposits of these ids, in their order. */
const readAll = async (ports: MoveDepositPorts, depositIds: readonly string[]): Promise<readonly Deposit[]> => {
  const deposits = (await getAll(ports, depositIds.map(keys.deposit))).map(readDepositItem);
  const found = new Map(deposits.map((deposit) => [deposit.depositId, deposit]));
  return depositIds.flatMap((depositId) => found.get(depositId) ?? []);
};

const readOnce = async (ports: MoveDepositPorts, list: DepositList): Promise<ListedDeposits> => {
  const { accountId, depositType, status, sort, page } = list;
  const { members, total } = await readList(ports.table, depositList(accountId), {
    order: sort.field === 'createdAt' ? 'created' : 'changed',
    descending: sort.descending,
    filter: { parts: depositType === undefined ? undefined : [depositType], status },
    page,
  });
  const docs = await readAll(
    ports,
    members.map(({ groupId }) => groupId),
  );
  return { docs, total };
};

const readPage = (ports: MoveDepositPorts, list: DepositList): Promise<ListedDeposits> =>
  readWholePage(
    ports,
    list.page,
    // The type of a deposit never changes.
    (one) => list.status === undefined || one.status === list.status,
    () => readOnce(ports, list),
  );

/**
 * One page of deposits. Those on it that are past their time and were not moved yet are expired first, and the page is
 * read again; so it shows no deposit as pending that is not. What is not on it, the worker moves within seconds.
 */
export const listDeposits = async (ports: MoveDepositPorts, list: DepositList): Promise<ListedDeposits> => {
  const first = await readPage(ports, list);
  const overdue = first.docs.filter((one) => isOverdue(one, ports.now()));
  if (overdue.length === 0) return first;
  for (const deposit of overdue) await upToDate(ports, deposit);
  return await readPage(ports, list);
};
