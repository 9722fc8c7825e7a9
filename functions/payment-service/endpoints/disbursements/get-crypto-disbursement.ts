import { enveloped } from '../../http/answer-schemas.ts';
import { failure, success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { cryptoDisbursementSchema, cryptoRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/crypto/:disbursementIdOrReference */
export const getCryptoDisbursement = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/crypto/:idOrReference',
    access: 'signed',
    summary: 'Find one crypto disbursement by its id or reference',
    answers: enveloped(cryptoDisbursementSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findOnRail(context, 'crypto', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Crypto disbursement not found')
      : success('Crypto disbursement', cryptoRecord(account, found));
  },
);
