import { SQSClient } from '@aws-sdk/client-sqs';
import { pagePorts } from '../../functions/payment-service/checkout-page/page-ports.ts';
import { checkoutIdFrom } from '../../functions/payment-service/domain/deposits/checkout.ts';
import { Money } from '../../functions/payment-service/domain/money/money.ts';
import { keepCheckout } from '../../functions/payment-service/store/deposits/checkouts.ts';
import type { Table } from '../../functions/payment-service/store/table.ts';
import { newAccount } from '../support/payment-service/new-account.ts';
import { serviceInMemory } from '../support/payment-service/service-in-memory.ts';
import type { Lambda } from '../support/servers/loopback-gateway.ts';

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
 * The service with a clock that tests set, and no randomness. Messages to queues are dropped, so only requests change records.
 */
export const paymentService = async (clock: () => number): Promise<Lambda> => {
  let made = 0;
  const { runtime, lambda } = serviceInMemory({
    publicUrl: 'https://pay.example',
    sqs: Object.assign(new SQSClient({ region: 'none' }), { send: async () => ({}) }),
    now: () => new Date(clock()),
    pause: async () => undefined,
    random: () => 0,
    randomHex: () => {
      made += 1;
      return made.toString(16).padStart(24, '0');
    },
  });
  await addCheckouts(runtime.table, new Date(clock()).toISOString());
  const page = pagePorts(runtime);
  for (const digit of ['3', '4']) await page.pick(checkoutIdFrom(digit.padStart(32, '0')), 'QRPH');
  return lambda;
};
