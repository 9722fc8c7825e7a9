import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { sandboxRecord, sandboxSchema } from './sandbox-record.ts';

/** GET /sandbox: the state of the merchant's sandbox. */
export const getSandbox = plainEndpoint(
  {
    method: 'GET',
    path: '/sandbox',
    access: 'authorization',
    summary: 'Get the state of the sandbox',
    answers: enveloped(sandboxSchema),
  },
  async (context, { account }) => success('Sandbox', sandboxRecord(account, context.sandbox, context.now())),
);
