import type { Account } from '../../domain/account.ts';
import { depositStatuses } from '../../domain/deposits/deposit.ts';
import { oneOf } from '../../http/request-fields.ts';
import type { Context } from '../../store/context.ts';
import type { DepositList } from '../../store/deposits/read-deposit-page.ts';
import { readDepositPage } from '../../store/deposits/read-deposit-page.ts';
import type { AskedPage } from '../list-query.ts';
import { listQuery, readPage, sortWord } from '../list-query.ts';
import { depositRecord } from './deposit-record.ts';

/** The query parameters of every deposit list. */
export const depositListQuery = {
  page: listQuery.page,
  limit: listQuery.limit,
  status: oneOf(depositStatuses).optional(),
  sort: sortWord.default('-createdAt'),
};

interface Asked extends AskedPage, Pick<DepositList, 'status' | 'depositType'> {
  /** Whether the request filters by something that no deposit has. */
  readonly matchesNothing?: boolean;
}

/** A page of deposit records, or a refusal. */
export const depositPage = (context: Context, account: Account, asked: Asked) => {
  const { matchesNothing = false, status, depositType } = asked;
  return readPage(
    context.settings,
    asked,
    async (wanted) =>
      matchesNothing ? { docs: [], total: 0 } : readDepositPage(context, { status, depositType, ...wanted }),
    (deposit) => depositRecord(account, deposit),
  );
};
