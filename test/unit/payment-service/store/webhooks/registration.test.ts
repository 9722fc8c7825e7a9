import { expect, it } from 'vitest';
import {
  registerWebhook,
  webhookAddress,
} from '../../../../../functions/payment-service/store/webhooks/registration.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';

const registered = 'https://merchant.example/hook';

it.each([
  ['to the address of its merchant', 'merchant', 0, registered],
  ['to the same address after a reset of the sandbox', 'merchant~2', 2, registered],
  ['nowhere when they are from before a reset', 'merchant~1', 2, undefined],
  ['nowhere when they are from before the first reset', 'merchant', 1, undefined],
  ['nowhere when only another merchant has an address', 'other', 0, undefined],
])('webhooks of an account go %s', async (_, accountId, generation, address) => {
  const table = new MemoryTable();
  await registerWebhook(table, 'merchant', 'https://merchant.example/old', '2026-11-21T06:00:00.000Z');
  await registerWebhook(table, 'merchant', registered, '2026-11-21T06:00:01.000Z');
  expect(await webhookAddress(table, async () => ({ generation }), accountId)).toBe(address);
});
