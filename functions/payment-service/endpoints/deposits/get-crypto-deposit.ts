import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/crypto/:depositIdOrReference. Does not find fiat deposits. */
export const getCryptoDeposit = plainEndpoint(
  {
    route: 'GET /v1/deposit/crypto/:idOrReference',
    access: 'signed',
    summary: 'Find one crypto deposit by its id or reference',
    answers: enveloped('Crypto deposit', depositSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findDeposit(context, 'crypto', params.get('idOrReference') ?? '');
    return found === undefined ? new RefusedWith(404, 'Deposit not found') : depositRecord(account, found);
  },
);
