import type { Account } from '../../domain/account.ts';
import type { DepositType } from '../../domain/deposits/deposit.ts';
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

/** A page of deposit records, or a refusal. */
export const depositPage = (
  context: Context,
  account: Account,
  asked: AskedPage & Pick<DepositList, 'status'>,
  depositTypes?: readonly DepositType[],
) =>
  readPage(
    context.settings,
    asked,
    (wanted) => readDepositPage(context, { status: asked.status, depositTypes, ...wanted }),
    (deposit) => depositRecord(account, deposit),
  );
