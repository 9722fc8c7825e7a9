import * as z from 'zod';
import { queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { pageOf } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/crypto: a page of crypto deposits, newest first by default. */
export const listCryptoDeposits = queryEndpoint({
  route: 'GET /v1/deposit/crypto',
  access: 'signed',
  summary: 'List crypto deposits, a page at a time',
  answers: enveloped('Crypto deposits', pageOf(depositSchema)),
  refuses: [503],
  query: z.object(depositListQuery),
  work: (context, { account }, asked) => depositPage(context, account, asked, ['crypto']),
});
