import * as z from 'zod';
import { fiatStatuses } from '../../domain/disbursements/disbursement.ts';
import { pageEnvelope } from '../../domain/lists/page.ts';
import { envelopedWithRequest } from '../../http/answer-schemas.ts';
import { badRequest, requestExtras, success } from '../../http/answers.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { readDisbursementPage } from '../../store/disbursements/read-disbursement-page.ts';
import { listQuery, pageOf, requestedPage, sortOrder, totalItems } from '../list-query.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';

const query = z.object({ ...listQuery, status: oneOf(fiatStatuses).optional(), currency: z.string().optional() });

/** GET /v1/disbursement/fiat: a page of fiat disbursements. */
export const listFiatDisbursements = queryEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/fiat',
    access: 'signed',
    id: 'listFiatDisbursements',
    summary: 'List fiat disbursements, a page at a time',
    answers: envelopedWithRequest(pageOf(fiatDisbursementSchema).extend(totalItems)),
  },
  query,
  async (context, { account, request }, given) => {
    const asked = requestedPage(context.settings, given);
    if (asked.kind === 'refused') return badRequest(asked.message);
    const { docs, total } = await readDisbursementPage(context, {
      rail: 'fiat',
      sort: sortOrder(given.sort),
      page: asked.page,
      filter: {
        status: given.status,
        disbursementId: given.disbursementId,
        currencies: given.currency === undefined ? undefined : [given.currency],
      },
    });
    return success(
      'Fiat disbursements',
      {
        docs: docs.map((one) => fiatRecord(account, one)),
        ...pageEnvelope(asked.page, total),
        totalItems: total,
      },
      requestExtras(request.requestId, context.now()),
    );
  },
);
