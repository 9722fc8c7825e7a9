import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { faultsRecord, faultsSchema } from './faults-record.ts';

/** GET /sandbox/faults: the faults that are set, and how often each has struck. */
export const getFaults = plainEndpoint(
  {
    method: 'GET',
    path: '/sandbox/faults',
    access: 'authorization',
    summary: 'Get the faults that are set, and how often each has struck',
    answers: enveloped(faultsSchema),
  },
  async (context) => success('Faults', faultsRecord(context.sandbox)),
);
