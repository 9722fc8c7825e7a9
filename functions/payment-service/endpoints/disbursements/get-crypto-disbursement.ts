import { enveloped } from '../../http/success.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { lookupEndpoint } from '../lookup-endpoint.ts';
import { cryptoDisbursementSchema, cryptoRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/crypto/:disbursementIdOrReference */
export const getCryptoDisbursement = lookupEndpoint({
  route: 'GET /v1/disbursement/crypto/:idOrReference',
  summary: 'Find one crypto disbursement by its id or reference',
  answers: enveloped('Crypto disbursement', cryptoDisbursementSchema),
  find: (context, idOrReference) => findOnRail(context, 'crypto', idOrReference),
  show: cryptoRecord,
  missing: 'Crypto disbursement not found',
});
