import { envelopedWithRequest } from '../../http/answer-schemas.ts';
import { failure, successOfRequest } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/fiat/:depositIdOrReference. Does not find crypto deposits. */
export const getFiatDeposit = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit/fiat/:idOrReference',
    access: 'signed',
    summary: 'Find one fiat deposit by its id or reference',
    answers: envelopedWithRequest(depositSchema),
    refuses: [404],
  },
  async (context, { account, params, request }) => {
    const found = await findDeposit(context, 'fiat', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Deposit not found')
      : successOfRequest('Fiat deposit', depositRecord(account, found), request.requestId, context.now());
  },
);
