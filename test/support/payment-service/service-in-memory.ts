import type { SendMessageCommand } from '@aws-sdk/client-sqs';
import { SQSClient } from '@aws-sdk/client-sqs';
import { pagePorts } from '../../../functions/payment-service/checkout-page/page-ports.ts';
import { brokenPage, serveCheckout } from '../../../functions/payment-service/checkout-page/serve-checkout.ts';
import { everyEndpoint } from '../../../functions/payment-service/endpoints/by-function.ts';
import { lambdaHandler } from '../../../functions/payment-service/http/lambda-handler.ts';
import { route } from '../../../functions/payment-service/http/router.ts';
import type { Runtime } from '../../../functions/payment-service/runtime.ts';
import { paymentServiceRuntime } from '../../../functions/payment-service/runtime.ts';
import { gateOf } from '../../../functions/payment-service/serve-endpoints.ts';
import { settle } from '../../../functions/payment-service/settlement/settle.ts';
import { readSandboxState } from '../../../functions/payment-service/store/sandbox/sandbox-state.ts';
import { readSettlementMessage } from '../../../functions/payment-service/store/settlement-queue.ts';
import { MemoryTable } from '../memory-table/memory-table.ts';
import type { Lambda } from '../servers/loopback-gateway.ts';
import { openGateway } from '../servers/loopback-gateway.ts';

/** The credentials of the sandbox's merchants. */
export const merchantsInMemory = ['sandbox-merchant', 'sandbox-second', 'sandbox-basic'].map((clientId) => ({
  clientId,
  clientSecret: `client secret of ${clientId}`,
  apiKey: `api-key-of-${clientId}`,
  webhookSecret: `webhook secret of ${clientId}`,
}));

export type MerchantCredentials = (typeof merchantsInMemory)[number];

/** All endpoints and the checkout page, over the table in memory. */
export const serviceInMemory = (change: Partial<Runtime>): { readonly runtime: Runtime; readonly lambda: Lambda } => {
  const table = new MemoryTable();
  const runtime: Runtime = {
    ...paymentServiceRuntime({ TABLE_NAME: table.name, SETTINGS: '{}' }),
    table,
    sandboxOf: (clientId) => readSandboxState(table, clientId),
    readCredentials: async () => merchantsInMemory,
    ...change,
  };
  const answer = lambdaHandler(route(gateOf(runtime), Object.values(everyEndpoint())));
  const answerPage = lambdaHandler(serveCheckout(pagePorts(runtime)), brokenPage);
  return { runtime, lambda: (event) => (event.path.startsWith('/checkout/') ? answerPage(event) : answer(event)) };
};

/** A queue that hands each message to the settlement worker after its delay. */
const settlementQueue = (work: (body: string) => Promise<void>): SQSClient =>
  Object.assign(new SQSClient({ region: 'none' }), {
    send: async ({ input }: SendMessageCommand) => {
      setTimeout(() => void work(input.MessageBody ?? ''), (input.DelaySeconds ?? 0) * 1000).unref();
      return {};
    },
  });

/**
 * Serves the payment service on loopback with the real clock until this process ends. Disbursements and deposits settle as
 * deployed. There are no webhooks, which need a stream and a queue, and no faults, because the table in memory has no paths
 * into lists.
 */
export const openServiceInMemory = async () => {
  let lambda: Lambda | undefined;
  const gateway = await openGateway((event) => {
    if (lambda === undefined) throw new Error('the service has not started');
    return lambda(event);
  }, []);
  const service = serviceInMemory({
    publicUrl: gateway.url,
    sqs: settlementQueue((body) => settle(service.runtime, readSettlementMessage(body))),
  });
  lambda = service.lambda;
  return { url: gateway.url, merchants: merchantsInMemory };
};
