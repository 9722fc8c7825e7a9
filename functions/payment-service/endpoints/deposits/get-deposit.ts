import { enveloped } from '../../http/answer-schemas.ts';
import { failure, success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { findDeposit } from '../../store/deposits/find-deposit.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** GET /v1/deposit/:depositIdOrReference, deprecated. Finds a deposit of either type. */
export const getDeposit = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/deposit/:depositIdOrReference',
    access: 'signed',
    summary: 'Find one deposit of either type by its id or reference',
    answers: enveloped(depositSchema),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const found = await findDeposit(context, undefined, params.get('depositIdOrReference') ?? '');
    return found === undefined ? failure(404, 'Deposit not found') : success('Deposit', depositRecord(account, found));
  },
);
