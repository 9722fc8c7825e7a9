import { failure, success } from '../http/answers.ts';
import { plainEndpoint } from '../http/endpoint.ts';
import { cryptoRecord } from './disbursement-record.ts';
import type { Service } from './service.ts';

/** GET /v1/disbursement/crypto/:disbursementIdOrReference */
export const getCryptoDisbursement = plainEndpoint<Pick<Service, 'findOnRail'>>(
  { method: 'GET', path: '/v1/disbursement/crypto/:idOrReference', access: 'signed' },
  async (service, { account, params }) => {
    const found = await service.findOnRail(account.accountId, 'crypto', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Crypto disbursement not found')
      : success('Crypto disbursement', cryptoRecord(account, found));
  },
);
