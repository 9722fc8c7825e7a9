import { identifyBy } from './auth/authenticate.ts';
import { accountOf } from './domain/account.ts';
import type { Endpoint } from './http/endpoint.ts';
import { lambdaHandler } from './http/lambda.ts';
import type { Gate } from './http/router.ts';
import { route } from './http/router.ts';
import type { Runtime } from './runtime.ts';
import { contextOf, paymentServiceRuntime } from './runtime.ts';
import { useSignature } from './store/signatures.ts';

/** Authenticates callers, and gives endpoints the context of the caller's account. */
export const gateOf = (runtime: Runtime): Gate => {
  const { settings, merchants, readCredentials, sandboxOf, table, now } = runtime;
  const identify = identifyBy({
    readCredentials,
    now,
    useSignature: (clientId, signature, until) => useSignature(table, clientId, signature, until),
  });
  return {
    settings,
    now,
    authenticate: async (access, request) => {
      const merchant = merchants.get((await identify(access, request)) ?? '');
      if (merchant === undefined) return undefined;
      const sandbox = await sandboxOf(merchant.clientId);
      return { account: accountOf(merchant, sandbox.generation), sandbox };
    },
    contextOf: ({ account, sandbox }, planned) => contextOf(runtime, account.accountId, sandbox, planned),
  };
};

/** The Lambda handler that serves these endpoints, over the real table. */
export const serveEndpoints = (endpoints: readonly Endpoint[]) =>
  lambdaHandler(route(gateOf(paymentServiceRuntime()), endpoints));
