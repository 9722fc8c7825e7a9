import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/fiat/:disbursementIdOrReference */
export const getFiatDisbursement = plainEndpoint(
  {
    route: 'GET /v1/disbursement/fiat/:idOrReference',
    access: 'signed',
    summary: 'Find one fiat disbursement by its id or reference',
    answers: enveloped('Fiat disbursement', fiatDisbursementSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findOnRail(context, 'fiat', params.get('idOrReference') ?? '');
    return found === undefined ? new RefusedWith(404, 'Disbursement not found') : fiatRecord(account, found);
  },
);
