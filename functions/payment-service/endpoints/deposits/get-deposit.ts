import { enveloped } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { lookupEndpoint } from '../lookup-endpoint.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/:depositIdOrReference, deprecated. Finds a deposit of either type. */
export const getDeposit = lookupEndpoint({
  route: 'GET /v1/deposit/:depositIdOrReference',
  summary: 'Find one deposit of either type by its id or reference',
  answers: enveloped('Deposit', depositSchema),
  find: (context, idOrReference) => findDeposit(context, undefined, idOrReference),
  show: depositRecord,
  missing: 'Deposit not found',
});
