import * as z from 'zod';
import { Refused } from '../../domain/refused.ts';
import { envelopedWithRequest } from '../../http/answer-schemas.ts';
import { badRequest, successOfRequest } from '../../http/answers.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { pageOf, sortWord } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

const query = z.object({
  ...depositListQuery,
  sort: sortWord.default('-createdAt'),
  /** No endpoint makes bulks, so no deposit belongs to one. */
  depositBulkId: z.string().optional(),
});

/** GET /v1/deposit/fiat: a page of fiat deposits, newest first by default. */
export const listFiatDeposits = queryEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit/fiat',
    access: 'signed',
    summary: 'List fiat deposits, a page at a time',
    answers: envelopedWithRequest(pageOf(depositSchema)),
  },
  query,
  async (context, { account, request }, { depositBulkId, ...asked }) => {
    const page = await depositPage(context, account, {
      ...asked,
      depositType: 'fiat',
      matchesNothing: depositBulkId !== undefined,
    });
    if (page instanceof Refused) return badRequest(page.message);
    return successOfRequest('Fiat deposits', page, request.requestId, context.now());
  },
);
