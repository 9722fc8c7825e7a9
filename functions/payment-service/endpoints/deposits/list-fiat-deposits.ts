import * as z from 'zod';
import { queryEndpoint } from '../../http/endpoint.ts';
import { envelopedWithRequest } from '../../http/success.ts';
import { pageOf } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/fiat: a page of fiat deposits, newest first by default. */
export const listFiatDeposits = queryEndpoint({
  route: 'GET /v1/deposit/fiat',
  access: 'signed',
  summary: 'List fiat deposits, a page at a time',
  answers: envelopedWithRequest('Fiat deposits', pageOf(depositSchema)),
  refuses: [503],
  query: z.object({
    ...depositListQuery,
    /** No endpoint makes bulks, so no deposit belongs to one. */
    depositBulkId: z.string().optional(),
  }),
  work: (context, { account }, asked) =>
    depositPage(context, account, asked, asked.depositBulkId === undefined ? ['fiat'] : []),
});
