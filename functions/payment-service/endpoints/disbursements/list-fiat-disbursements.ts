import * as z from 'zod';
import { fiatStatuses } from '../../domain/disbursements/disbursement.ts';
import { Refused } from '../../domain/refused.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { envelopedWithRequest } from '../../http/success.ts';
import { readDisbursementPage } from '../../store/disbursements/read-disbursement-page.ts';
import { listQuery, pageOf, readPage, totalItems } from '../list-query.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/fiat: a page of fiat disbursements. */
export const listFiatDisbursements = queryEndpoint({
  route: 'GET /v1/disbursement/fiat',
  access: 'signed',
  summary: 'List fiat disbursements, a page at a time',
  answers: envelopedWithRequest('Fiat disbursements', pageOf(fiatDisbursementSchema).extend(totalItems)),
  refuses: [503],
  query: z.object({ ...listQuery, status: oneOf(fiatStatuses).optional(), currency: z.string().optional() }),
  work: async (context, { account }, given) => {
    const { status, disbursementId, currency } = given;
    const filter = { status, disbursementId, currencies: currency === undefined ? undefined : [currency] };
    const page = await readPage(
      context.settings,
      given,
      (wanted) => readDisbursementPage(context, { rail: 'fiat', filter, ...wanted }),
      (one) => fiatRecord(account, one),
    );
    return page instanceof Refused ? page : { ...page, totalItems: page.totalDocs };
  },
});
