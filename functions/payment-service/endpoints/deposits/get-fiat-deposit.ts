import { envelopedWithRequest } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { lookupEndpoint } from '../lookup-endpoint.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/fiat/:depositIdOrReference. Does not find crypto deposits. */
export const getFiatDeposit = lookupEndpoint({
  route: 'GET /v1/deposit/fiat/:idOrReference',
  summary: 'Find one fiat deposit by its id or reference',
  answers: envelopedWithRequest('Fiat deposit', depositSchema),
  find: (context, idOrReference) => findDeposit(context, 'fiat', idOrReference),
  show: depositRecord,
  missing: 'Deposit not found',
});
