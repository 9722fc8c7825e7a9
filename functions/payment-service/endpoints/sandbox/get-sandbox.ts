import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { sandboxRecord, sandboxSchema } from './sandbox-record.ts';

/** GET /sandbox: the state of the merchant's sandbox. */
export const getSandbox = plainEndpoint({
  route: 'GET /sandbox',
  access: 'authorization',
  summary: 'Get the state of the sandbox',
  answers: enveloped('Sandbox', sandboxSchema),
  work: async (context, { account }) => sandboxRecord(account, context.sandbox, context.now()),
});
