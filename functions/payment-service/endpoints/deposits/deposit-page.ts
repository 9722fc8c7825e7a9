import type { Account } from '../../domain/account.ts';
import { depositStatuses } from '../../domain/deposits/deposit.ts';
import { pageEnvelope } from '../../domain/lists/page.ts';
import { oneOf } from '../../http/request-fields.ts';
import type { Context } from '../../store/context.ts';
import type { DepositList } from '../../store/deposits/read-deposit-page.ts';
import { readDepositPage } from '../../store/deposits/read-deposit-page.ts';
import type { Sort } from '../list-query.ts';
import { listQuery, requestedPage, sortOrder } from '../list-query.ts';
import { depositRecord } from './deposit-record.ts';

/** The query parameters of every deposit list. Each list has its own default sort. */
export const depositListQuery = {
  page: listQuery.page,
  limit: listQuery.limit,
  status: oneOf(depositStatuses).optional(),
};

interface Asked extends Pick<DepositList, 'status' | 'depositType'> {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort: Sort;
  /** Whether the request filters by something that no deposit has. */
  readonly matchesNothing?: boolean;
}

/** A page of deposit records, or a refusal. */
export const depositPage = async (
  context: Context,
  account: Account,
  { page, limit, sort, matchesNothing = false, ...filter }: Asked,
) => {
  const asked = requestedPage(context.settings, { page, limit });
  if (asked.kind === 'refused') return asked;
  const list = { ...filter, sort: sortOrder(sort), page: asked.page };
  const { docs, total } = matchesNothing ? { docs: [], total: 0 } : await readDepositPage(context, list);
  const data = { docs: docs.map((one) => depositRecord(account, one)), ...pageEnvelope(asked.page, total) };
  return { kind: 'page', data } as const;
};
