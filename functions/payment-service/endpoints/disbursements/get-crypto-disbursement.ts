import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { cryptoDisbursementSchema, cryptoRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/crypto/:disbursementIdOrReference */
export const getCryptoDisbursement = plainEndpoint(
  {
    route: 'GET /v1/disbursement/crypto/:idOrReference',
    access: 'signed',
    summary: 'Find one crypto disbursement by its id or reference',
    answers: enveloped('Crypto disbursement', cryptoDisbursementSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findOnRail(context, 'crypto', params.get('idOrReference') ?? '');
    return found === undefined ? new RefusedWith(404, 'Crypto disbursement not found') : cryptoRecord(account, found);
  },
);
