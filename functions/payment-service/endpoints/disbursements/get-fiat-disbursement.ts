import { enveloped } from '../../http/answer-schemas.ts';
import { failure, success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/fiat/:disbursementIdOrReference */
export const getFiatDisbursement = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/fiat/:idOrReference',
    access: 'signed',
    summary: 'Find one fiat disbursement by its id or reference',
    answers: enveloped(fiatDisbursementSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findOnRail(context, 'fiat', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Disbursement not found')
      : success('Fiat disbursement', fiatRecord(account, found));
  },
);
