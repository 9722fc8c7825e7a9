import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/:depositIdOrReference, deprecated. Finds a deposit of either type. */
export const getDeposit = plainEndpoint(
  {
    route: 'GET /v1/deposit/:depositIdOrReference',
    access: 'signed',
    summary: 'Find one deposit of either type by its id or reference',
    answers: enveloped('Deposit', depositSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findDeposit(context, undefined, params.get('depositIdOrReference') ?? '');
    return found === undefined ? new RefusedWith(404, 'Deposit not found') : depositRecord(account, found);
  },
);
