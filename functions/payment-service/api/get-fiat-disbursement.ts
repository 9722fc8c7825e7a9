import { failure, success } from '../http/answers.ts';
import { plainEndpoint } from '../http/endpoint.ts';
import { fiatRecord } from './disbursement-record.ts';
import type { Service } from './service.ts';

/** GET /v1/disbursement/fiat/:disbursementIdOrReference */
export const getFiatDisbursement = plainEndpoint<Pick<Service, 'findOnRail'>>(
  { method: 'GET', path: '/v1/disbursement/fiat/:idOrReference', access: 'signed' },
  async (service, { account, params }) => {
    const found = await service.findOnRail(account.accountId, 'fiat', params.get('idOrReference') ?? '');
    return found === undefined
      ? failure(404, 'Disbursement not found')
      : success('Fiat disbursement', fiatRecord(account, found));
  },
);
