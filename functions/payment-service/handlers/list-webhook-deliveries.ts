import * as z from 'zod';
import { paymentServiceRuntime } from '../runtime.ts';
import { firstMerchant } from '../settings.ts';
import type { LogPage } from '../store/webhooks/delivery-log.ts';
import { listAttempts } from '../store/webhooks/delivery-log.ts';

const { settings, merchants, table } = paymentServiceRuntime();

const request = z.strictObject({
  limit: z.int().min(1).max(500).default(50),
  webhookId: z.string().min(1).max(200).optional(),
  before: z.string().min(1).max(300).optional(),
  clientId: z.string().default(firstMerchant(settings).clientId),
});

const wanted =
  'the event may have "limit" (1 to 500), "webhookId", "before" (a date, or "next" from an answer) and "clientId"';

/** The delivery log, as for a dashboard. Run `aws lambda invoke` with `{"limit": 50, "webhookId": "…"}`, or `{}`. */
export const handler = async (event: unknown): Promise<LogPage> => {
  const asked = request.safeParse(event);
  if (!asked.success) throw new Error(wanted);
  if (!merchants.has(asked.data.clientId)) throw new Error('there is no merchant with this clientId');
  return await listAttempts(table, asked.data);
};
