import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { faultsRecord, faultsSchema } from './faults-record.ts';

/** GET /sandbox/faults: what is to go wrong, and how often it has. */
export const getFaults = plainEndpoint(
  {
    method: 'GET',
    path: '/sandbox/faults',
    access: 'authorization',
    id: 'getFaults',
    summary: 'Tell the faults that are set, and how often each has struck',
    answers: enveloped(faultsSchema),
  },
  async (context) => success('Faults', faultsRecord(context.sandbox)),
);
