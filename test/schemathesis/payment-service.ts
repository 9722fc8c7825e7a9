import { SQSClient } from '@aws-sdk/client-sqs';
import { pagePorts } from '../../functions/payment-service/checkout-page/page-ports.ts';
import { brokenPage, serveCheckout } from '../../functions/payment-service/checkout-page/serve-checkout.ts';
import { checkoutIdFrom } from '../../functions/payment-service/domain/deposits/checkout.ts';
import { Money } from '../../functions/payment-service/domain/money/money.ts';
import { everyEndpoint } from '../../functions/payment-service/endpoints/by-function.ts';
import { lambdaHandler } from '../../functions/payment-service/http/lambda-handler.ts';
import { route } from '../../functions/payment-service/http/router.ts';
import type { Runtime } from '../../functions/payment-service/runtime.ts';
import { paymentServiceRuntime } from '../../functions/payment-service/runtime.ts';
import { gateOf } from '../../functions/payment-service/serve-endpoints.ts';
import { keepCheckout } from '../../functions/payment-service/store/deposits/checkouts.ts';
import { readSandboxState } from '../../functions/payment-service/store/sandbox/sandbox-state.ts';
import type { Table } from '../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../support/payment-service/memory-table.ts';
import { newAccount } from '../support/payment-service/new-account.ts';
import type { Lambda } from './loopback-gateway.ts';

/**
 * The merchants' credentials. The second merchant makes only the sandbox control requests, so that its faults and resets do not
 * affect the first.
 */
export const merchants = ['sandbox-merchant', 'sandbox-second'].map((clientId) => ({
  clientId,
  clientSecret: `client secret of ${clientId}`,
  apiKey: `api-key-of-${clientId}`,
  webhookSecret: `webhook secret of ${clientId}`,
}));

/** Adds open checkouts: `chk_…1` to `chk_…3` of a separate merchant that no other request touches, and `chk_…4`. */
const addCheckouts = async (table: Table, createdAt: string): Promise<void> => {
  for (const digit of ['1', '2', '3', '4']) {
    await keepCheckout(table, {
      checkoutId: checkoutIdFrom(digit.padStart(32, '0')),
      account: newAccount({ clientId: digit === '4' ? 'sandbox-merchant' : 'sandbox-shop' }),
      inputCurrency: 'PHP',
      inputAmount: Money.of('1000', 'PHP'),
      outputCurrency: 'PHP',
      createdAt,
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
  }
};

/**
 * Serves all endpoints and the checkout page over the table in memory. Messages to queues are dropped, so only requests change
 * records.
 */
export const paymentService = async (clock: () => number): Promise<Lambda> => {
  Object.assign(process.env, {
    TABLE_NAME: 'memory',
    AWS_REGION: 'none',
    SETTINGS: '{}',
    PUBLIC_URL: 'https://pay.example',
  });
  const { table } = new MemoryTable();
  let made = 0;
  const runtime: Runtime = {
    ...paymentServiceRuntime(),
    table,
    sandboxOf: (clientId) => readSandboxState(table, clientId),
    sqs: Object.assign(new SQSClient({ region: 'none' }), { send: async () => ({}) }),
    readCredentials: async () => merchants,
    now: () => new Date(clock()),
    pause: async () => undefined,
    random: () => 0,
    randomHex: () => {
      made += 1;
      return made.toString(16).padStart(24, '0');
    },
  };
  const page = pagePorts(runtime);
  await addCheckouts(table, new Date(clock()).toISOString());
  for (const digit of ['3', '4']) await page.pick(checkoutIdFrom(digit.padStart(32, '0')), 'QRPH');
  const answer = lambdaHandler(route(gateOf(runtime), Object.values(everyEndpoint())));
  const answerPage = lambdaHandler(serveCheckout(page), brokenPage);
  return (event) => (event.path.startsWith('/checkout/') ? answerPage(event) : answer(event));
};
