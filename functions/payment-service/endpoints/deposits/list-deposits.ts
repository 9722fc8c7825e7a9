import * as z from 'zod';
import { depositTypes } from '../../domain/deposits/deposit.ts';
import { Refused } from '../../domain/refused.ts';
import { enveloped } from '../../http/answer-schemas.ts';
import { badRequest, success } from '../../http/answers.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { pageOf, sortWord } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

const query = z.object({
  ...depositListQuery,
  sort: sortWord.default('createdAt'),
  depositType: oneOf(depositTypes).optional(),
});

/** GET /v1/deposit, deprecated: a page of deposits of both types. */
export const listDeposits = queryEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit',
    access: 'signed',
    summary: 'List deposits of both types, a page at a time',
    answers: enveloped(pageOf(depositSchema)),
  },
  query,
  async (context, { account }, asked) => {
    const page = await depositPage(context, account, asked);
    return page instanceof Refused ? badRequest(page.message) : success('Deposits', page);
  },
);
