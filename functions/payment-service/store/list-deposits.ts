import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Deposit, DepositStatus, DepositType } from '../domain/deposit.ts';
import { isOverdue } from '../domain/deposit-lifecycle.ts';
import type { SortOrder } from '../domain/disbursement-filter.ts';
import type { PageRequest } from '../domain/page.ts';
import { depositList, readDepositItem } from './deposit-item.ts';
import { keys } from './keys.ts';
import { readList } from './list-reads.ts';
import type { MoveDepositPorts } from './move-deposit.ts';
import { upToDate } from './move-deposit.ts';
import { conflictAttempts, conflictPause } from './table.ts';

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

/** The deposits of these ids, in their order; 100 at most, as BatchGetItem takes. */
async function readAll(ports: MoveDepositPorts, depositIds: readonly string[]): Promise<readonly Deposit[]> {
  const { table } = ports;
  const found = new Map<string, Deposit>();
  let open = depositIds.map((depositId) => ({ ...keys.deposit(depositId) }));
  for (let tried = 0; open.length > 0; tried += 1) {
    if (tried >= conflictAttempts) throw new Error('the table did not give all deposits of a page');
    if (tried > 0) await ports.pause(conflictPause(tried, ports.random));
    const answer = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: open, ConsistentRead: true } } }),
    );
    for (const item of answer.Responses?.[table.name] ?? []) {
      const deposit = readDepositItem(item);
      found.set(deposit.depositId, deposit);
    }
    const left = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    open = left.map((key) => ({ pk: String(key['pk']), sk: String(key['sk']) }));
  }
  return depositIds.flatMap((depositId) => found.get(depositId) ?? []);
}

async function readPage(ports: MoveDepositPorts, list: DepositList): Promise<ListedDeposits> {
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
}

/**
 * One page of deposits. Those on it that are past their time and were not moved yet are expired first, and the page is
 * read again; so it shows no deposit as pending that is not. What is not on it, the worker moves within seconds.
 */
export async function listDeposits(ports: MoveDepositPorts, list: DepositList): Promise<ListedDeposits> {
  const first = await readPage(ports, list);
  const overdue = first.docs.filter((one) => isOverdue(one, ports.now()));
  if (overdue.length === 0) return first;
  for (const deposit of overdue) await upToDate(ports, deposit);
  return await readPage(ports, list);
}
