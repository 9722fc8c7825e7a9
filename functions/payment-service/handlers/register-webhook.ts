import * as z from 'zod';
import { webhookUrl } from '../http/request-fields.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import { firstMerchant } from '../settings.ts';
import { registerWebhook } from '../store/webhooks/registration.ts';

const { table, settings, merchants, now } = paymentServiceRuntime();

const request = z.strictObject({
  url: webhookUrl,
  clientId: z.string().default(firstMerchant(settings).clientId),
});

/**
 * Registers a merchant's webhook address, as its dashboard would. Run `aws lambda invoke` with `{"url": "https://…"}`,
 * and `"clientId"` for any merchant but the first. The last address counts.
 */
export const handler = async (event: unknown): Promise<{ readonly registered: string }> => {
  const asked = request.safeParse(event);
  if (!asked.success) {
    throw new Error(
      'the event must be {"url": "https://…"} at a named host, without a user or password, optionally with "clientId"',
    );
  }
  const { url, clientId } = asked.data;
  if (!merchants.has(clientId)) throw new Error('there is no merchant with this clientId');
  await registerWebhook(table, clientId, url, now().toISOString());
  return { registered: url };
};
