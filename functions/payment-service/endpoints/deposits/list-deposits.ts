import * as z from 'zod';
import { depositTypes } from '../../domain/deposits/deposit.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { pageOf, sortWord } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

/** GET /v1/deposit, deprecated: a page of deposits of both types. */
export const listDeposits = queryEndpoint({
  route: 'GET /v1/deposit',
  access: 'signed',
  summary: 'List deposits of both types, a page at a time',
  answers: enveloped('Deposits', pageOf(depositSchema)),
  refuses: [503],
  query: z.object({
    ...depositListQuery,
    sort: sortWord.default('createdAt'),
    depositType: oneOf(depositTypes).optional(),
  }),
  work: (context, { account }, asked) => depositPage(context, account, asked, asked.depositType && [asked.depositType]),
});
