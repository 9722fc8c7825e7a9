import * as z from 'zod';
import { cryptoStatuses } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { pageEnvelope } from '../../domain/lists/page.ts';
import { tokensAt } from '../../domain/money/currencies.ts';
import { badRequest, success } from '../../http/answers.ts';
import { oneOf, queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success-answer.ts';
import { queryAmount } from '../../http/wire-json.ts';
import { listQuery, requestedPage, sortOrder } from '../list-query.ts';
import { cryptoDisbursement } from '../schemas/disbursement.ts';
import { pageOf } from '../schemas/page.ts';
import type { Service } from '../service.ts';
import { cryptoRecord } from './disbursement-record.ts';

const query = z.object({
  ...listQuery,
  status: oneOf(cryptoStatuses).optional(),
  reference: z.string().optional(),
  amount: queryAmount.optional(),
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  token: z.string().optional(),
  tokenAddress: z.string().optional(),
  receiverAddress: z.string().optional(),
  txHash: z.string().optional(),
});
type Query = z.output<typeof query>;

/** Both filters by token together: what both of them allow. */
function currencies({ token, tokenAddress }: Query): readonly string[] | undefined {
  const atAddress = tokenAddress === undefined ? undefined : tokensAt(tokenAddress).map(({ code }) => code);
  if (token === undefined) return atAddress;
  return atAddress === undefined || atAddress.includes(token) ? [token] : [];
}

type Filtered =
  | { readonly kind: 'filter'; readonly filter: DisbursementFilter }
  | { readonly kind: 'refused'; readonly message: string };

function filterOf(given: Query): Filtered {
  const { status, reference, disbursementId, amount, receiverAddress, txHash, startDate, endDate } = given;
  const filter = {
    status,
    reference,
    disbursementId,
    amount,
    receiverAddress,
    txHash,
    currencies: currencies(given),
  };
  // One date alone filters nothing, as the document says.
  if (startDate === undefined || endDate === undefined) return { kind: 'filter', filter };
  const [from, to] = [new Date(startDate), new Date(endDate)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) {
    return { kind: 'refused', message: 'startDate and endDate must be ISO 8601 dates' };
  }
  return { kind: 'filter', filter: { ...filter, created: { from: from.toISOString(), to: to.toISOString() } } };
}

/** GET /v1/disbursement/crypto: a page of crypto disbursements. */
export const listCryptoDisbursements = queryEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/crypto',
    access: 'signed',
    id: 'listCryptoDisbursements',
    summary: 'List crypto disbursements, a page at a time',
    answers: enveloped(pageOf(cryptoDisbursement)),
  },
  query,
  async (service: Pick<Service, 'settings' | 'listDisbursements'>, { account }, given) => {
    const asked = requestedPage(service.settings, given);
    if (asked.kind === 'refused') return badRequest(asked.message);
    const filtered = filterOf(given);
    if (filtered.kind === 'refused') return badRequest(filtered.message);
    const { docs, total } = await service.listDisbursements({
      accountId: account.accountId,
      rail: 'crypto',
      sort: sortOrder(given.sort),
      page: asked.page,
      filter: filtered.filter,
    });
    return success('Crypto disbursements', {
      docs: docs.map((one) => cryptoRecord(account, one)),
      ...pageEnvelope(asked.page, total),
    });
  },
);
