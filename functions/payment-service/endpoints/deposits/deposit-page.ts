import type { Account } from '../../domain/account.ts';
import type { DepositStatus, DepositType } from '../../domain/deposits/deposit.ts';
import { depositStatuses } from '../../domain/deposits/deposit.ts';
import { pageEnvelope } from '../../domain/lists/page.ts';
import { oneOf } from '../../http/request-fields.ts';
import type { Context } from '../../store/context.ts';
import { listDeposits } from '../../store/deposits/list-deposits.ts';
import type { Sort } from '../list-query.ts';
import { listQuery, requestedPage, sortOrder } from '../list-query.ts';
import { depositRecord } from './deposit-record.ts';

/** The query parameters that all deposit lists share; each has a sort default of its own. */
export const depositListQuery = {
  page: listQuery.page,
  limit: listQuery.limit,
  status: oneOf(depositStatuses).optional(),
};

interface Asked {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort: Sort;
  readonly status?: DepositStatus | undefined;
  readonly depositType?: DepositType | undefined;
  /** Lists nothing whatever is asked for. */
  readonly nothing?: boolean;
}

/** A page of deposit records, or why it is refused. */
export const depositPage = async (
  context: Context,
  account: Account,
  { page, limit, sort, status, depositType, nothing = false }: Asked,
) => {
  const asked = requestedPage(context.settings, { page, limit });
  if (asked.kind === 'refused') return asked;
  const { docs, total } = nothing
    ? { docs: [], total: 0 }
    : await listDeposits(context, {
        depositType,
        status,
        sort: sortOrder(sort),
        page: asked.page,
      });
  const data = { docs: docs.map((one) => depositRecord(account, one)), ...pageEnvelope(asked.page, total) };
  return { kind: 'page', data } as const;
};
