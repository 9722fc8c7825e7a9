import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { sandboxRecord, sandboxSchema } from './sandbox-record.ts';

/** GET /sandbox: how the merchant's sandbox is steered. */
export const getSandbox = plainEndpoint(
  {
    method: 'GET',
    path: '/sandbox',
    access: 'authorization',
    id: 'getSandbox',
    summary: 'Tell how the sandbox is steered',
    answers: enveloped(sandboxSchema),
  },
  async (context, { account }) => success('Sandbox', sandboxRecord(account, context.sandbox, context.now())),
);
