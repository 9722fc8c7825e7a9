import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { faultsRecord, faultsSchema } from './faults-record.ts';

/** GET /sandbox/faults: the faults that are set, and how often each has struck. */
export const getFaults = plainEndpoint({
  route: 'GET /sandbox/faults',
  access: 'authorization',
  summary: 'Get the faults that are set, and how often each has struck',
  answers: enveloped('Faults', faultsSchema),
  work: async (context) => faultsRecord(context.sandbox),
});
