import { authenticate } from './auth/authenticate.ts';
import { accountOf } from './domain/account.ts';
import type { Endpoint } from './http/endpoint.ts';
import { lambdaHandler } from './http/lambda-handler.ts';
import type { Gate } from './http/router.ts';
import { route } from './http/router.ts';
import type { Runtime } from './runtime.ts';
import { contextOf, paymentServiceRuntime } from './runtime.ts';

/** Authenticates callers, and makes the context of the caller's account. */
export const gateOf = (runtime: Runtime): Gate => ({
  settings: runtime.settings,
  now: runtime.now,
  authenticate: async (access, request) => {
    const clientId = await authenticate(runtime, access, request);
    const merchant = runtime.merchants.get(clientId ?? '');
    if (merchant === undefined) return undefined;
    const sandbox = await runtime.sandboxOf(merchant.clientId);
    return { account: accountOf(merchant, sandbox.generation), sandbox };
  },
  contextOf: ({ account, sandbox }, planned) => contextOf(runtime, account.accountId, sandbox, planned),
});

/** A Lambda handler that serves these endpoints with the real runtime. */
export const serveEndpoints = (endpoints: Readonly<Record<string, Endpoint>>) =>
  lambdaHandler(route(gateOf(paymentServiceRuntime()), Object.values(endpoints)));
