import { enveloped } from '../../http/success.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';
import { lookupEndpoint } from '../lookup-endpoint.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';

/** GET /v1/disbursement/fiat/:disbursementIdOrReference */
export const getFiatDisbursement = lookupEndpoint({
  route: 'GET /v1/disbursement/fiat/:idOrReference',
  summary: 'Find one fiat disbursement by its id or reference',
  answers: enveloped('Fiat disbursement', fiatDisbursementSchema),
  find: (context, idOrReference) => findOnRail(context, 'fiat', idOrReference),
  show: fiatRecord,
  missing: 'Disbursement not found',
});
