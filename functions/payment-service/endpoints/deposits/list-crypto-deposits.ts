import * as z from 'zod';
import { Refused } from '../../domain/refused.ts';
import { enveloped } from '../../http/answer-schemas.ts';
import { badRequest, success } from '../../http/answers.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { pageOf, sortWord } from '../list-query.ts';
import { depositListQuery, depositPage } from './deposit-page.ts';
import { depositSchema } from './deposit-record.ts';

const query = z.object({ ...depositListQuery, sort: sortWord.default('-createdAt') });

/** GET /v1/deposit/crypto: a page of crypto deposits, newest first by default. */
export const listCryptoDeposits = queryEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit/crypto',
    access: 'signed',
    summary: 'List crypto deposits, a page at a time',
    answers: enveloped(pageOf(depositSchema)),
  },
  query,
  async (context, { account }, asked) => {
    const page = await depositPage(context, account, { ...asked, depositType: 'crypto' });
    return page instanceof Refused ? badRequest(page.message) : success('Crypto deposits', page);
  },
);
