import * as z from 'zod';
import { paymentServiceRuntime } from '../runtime.ts';
import { registerWebhook } from '../store/webhook-registration.ts';

const { table, readCredentials, now } = paymentServiceRuntime();

const request = z.strictObject({
  url: z.url({ protocol: /^https$/, error: 'an https address' }).max(2000),
});

/** What the merchant's dashboard would do: `aws lambda invoke` with `{"url": "https://…"}`. The last address counts. */
export const handler = async (event: unknown): Promise<{ readonly registered: string }> => {
  const asked = request.safeParse(event);
  if (!asked.success) throw new Error('the event must be {"url": "https://…"}, an https address and nothing else');
  const { url } = asked.data;
  const { clientId } = await readCredentials();
  await registerWebhook(table, clientId, url, now().toISOString());
  return { registered: url };
};
