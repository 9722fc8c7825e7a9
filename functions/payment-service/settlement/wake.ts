import type { DisbursementStatus } from '../domain/disbursements/disbursement.ts';
import { statusesOf } from '../domain/disbursements/disbursement.ts';
import type { ListPage } from '../domain/lists/tree.ts';
import type { ListName } from '../store/keys.ts';
import type { ListQuery } from '../store/lists/reads.ts';

/** From these on nothing happens by itself; `need_check` is left by a person alone. */
const restingStatuses: ReadonlySet<DisbursementStatus> = new Set(['completed', 'failed', 'canceled', 'need_check']);

/** Enough that few requests read a list, few enough that an answer fits in memory. */
const pageSize = 1000;

export interface WakePorts {
  readonly readList: (list: ListName, query: ListQuery) => Promise<ListPage>;
  /** Has a group looked at now. */
  readonly wakeGroup: (groupId: string) => Promise<void>;
  /** Has a deposit looked at now. */
  readonly wakeDeposit: (depositId: string) => Promise<void>;
}

const groupsWith = async (ports: WakePorts, list: ListName, status: string) => {
  const groups = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = { order: 'created', descending: false, filter: { status }, page: { page, limit: pageSize } } as const;
    const { members, total } = await ports.readList(list, query);
    for (const { groupId } of members) groups.add(groupId);
    if (page * pageSize >= total) return groups;
  }
};

/** Has every group and every deposit looked at that has something left to do: one message a group, however many of it. */
export const wakeUnfinished = async (ports: WakePorts): Promise<void> => {
  const groups = new Set<string>();
  for (const list of ['fiat', 'crypto'] as const) {
    for (const status of statusesOf(list).filter((one) => !restingStatuses.has(one))) {
      for (const groupId of await groupsWith(ports, list, status)) groups.add(groupId);
    }
  }
  for (const groupId of groups) await ports.wakeGroup(groupId);
  // A deposit is in its list as a group of one.
  for (const depositId of await groupsWith(ports, 'deposit', 'pending')) await ports.wakeDeposit(depositId);
};
