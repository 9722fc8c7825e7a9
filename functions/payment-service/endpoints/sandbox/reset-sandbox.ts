import { merchantTime } from '../../domain/sandbox/sandbox.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { startOver } from '../../store/sandbox/sandbox-state.ts';
import { sandboxRecord, sandboxSchema } from './sandbox-record.ts';

/**
 * POST /sandbox/reset: restores opening balances, empty lists, free references, the real time and the default rates,
 * and removes the faults. Credentials and the webhook address stay. Earlier records become invisible, and no webhook
 * announces them.
 */
export const resetSandbox = plainEndpoint({
  route: 'POST /sandbox/reset',
  access: 'authorization',
  summary: 'Reset the sandbox',
  answers: enveloped('Sandbox reset', sandboxSchema),
  work: async (context, { account }) => {
    const state = await startOver(context.table, account.clientId);
    return sandboxRecord(account, state, merchantTime(state, context.realNow()));
  },
});
