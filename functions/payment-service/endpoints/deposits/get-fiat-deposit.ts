import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { envelopedWithRequest } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/fiat/:depositIdOrReference. Does not find crypto deposits. */
export const getFiatDeposit = plainEndpoint(
  {
    route: 'GET /v1/deposit/fiat/:idOrReference',
    access: 'signed',
    summary: 'Find one fiat deposit by its id or reference',
    answers: envelopedWithRequest('Fiat deposit', depositSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findDeposit(context, 'fiat', params.get('idOrReference') ?? '');
    return found === undefined ? new RefusedWith(404, 'Deposit not found') : depositRecord(account, found);
  },
);
