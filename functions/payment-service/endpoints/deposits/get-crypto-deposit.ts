import { enveloped } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { lookupEndpoint } from '../lookup-endpoint.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/crypto/:depositIdOrReference. Does not find fiat deposits. */
export const getCryptoDeposit = lookupEndpoint({
  route: 'GET /v1/deposit/crypto/:idOrReference',
  summary: 'Find one crypto deposit by its id or reference',
  answers: enveloped('Crypto deposit', depositSchema),
  find: (context, idOrReference) => findDeposit(context, 'crypto', idOrReference),
  show: depositRecord,
  missing: 'Deposit not found',
});
