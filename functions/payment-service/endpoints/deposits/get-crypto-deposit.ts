import { enveloped } from '../../http/answer-schemas.ts';
import { failure, success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/crypto/:depositIdOrReference. Does not find fiat deposits. */
export const getCryptoDeposit = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit/crypto/:idOrReference',
    access: 'signed',
    summary: 'Find one crypto deposit by its id or reference',
    answers: enveloped(depositSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findDeposit(context, 'crypto', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Deposit not found')
      : success('Crypto deposit', depositRecord(account, found));
  },
);
