import * as z from 'zod';
import { paymentServiceRuntime } from '../runtime.ts';
import { firstMerchant } from '../settings.ts';
import { registerWebhook } from '../store/webhooks/registration.ts';

const { table, settings, merchants, now } = paymentServiceRuntime();

const request = z.strictObject({
  url: z.url({ protocol: /^https$/, error: 'an https address' }).max(2000),
  clientId: z.string().default(firstMerchant(settings).clientId),
});

/**
 * What the merchant's dashboard would do: `aws lambda invoke` with `{"url": "https://…"}`, and `"clientId"` for another
 * merchant than the first. The last address counts.
 */
export const handler = async (event: unknown): Promise<{ readonly registered: string }> => {
  const asked = request.safeParse(event);
  if (!asked.success)
    throw new Error('the event must be {"url": "https://…"}, an https address, and at most "clientId"');
  const { url, clientId } = asked.data;
  if (!merchants.has(clientId)) throw new Error('there is no merchant of this clientId');
  await registerWebhook(table, clientId, url, now().toISOString());
  return { registered: url };
};
