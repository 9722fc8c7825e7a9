import { Webhook } from 'standardwebhooks';
import type { ReadCredentials } from '../auth/credentials.ts';
import { credentialsOf } from '../auth/credentials.ts';
import { clientIdOf } from '../domain/account.ts';
import type { Announcement } from './announcement.ts';

export interface DeliveryPorts {
  readonly addressOf: (clientId: string) => Promise<string | undefined>;
  readonly readCredentials: ReadCredentials;
  readonly now: () => Date;
  readonly timeoutSeconds: number;
  readonly post: typeof fetch;
}

export type Delivery =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'no_address' }
  /** Worth another attempt. */
  | { readonly kind: 'refused'; readonly cause: string };

/** Posts one webhook, signed by the Standard Webhooks scheme. Any 2xx within the time takes it; no redirect is followed. */
export async function deliver(ports: DeliveryPorts, announcement: Announcement): Promise<Delivery> {
  const clientId = clientIdOf(announcement.accountId);
  const address = await ports.addressOf(clientId);
  if (address === undefined) return { kind: 'no_address' };
  const { webhookSecret } = await credentialsOf(ports.readCredentials, clientId);
  const now = ports.now();
  const { webhookId, body } = announcement;
  try {
    const response = await ports.post(address, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(ports.timeoutSeconds * 1000),
      headers: {
        'content-type': 'application/json',
        'webhook-id': webhookId,
        'webhook-timestamp': Math.floor(now.getTime() / 1000).toString(),
        'webhook-signature': new Webhook(webhookSecret).sign(webhookId, now, body),
      },
      body,
    });
    await response.body?.cancel();
    return response.ok
      ? { kind: 'delivered', status: response.status }
      : { kind: 'refused', cause: `status ${response.status}` };
  } catch (error) {
    return { kind: 'refused', cause: error instanceof Error ? error.name : 'unknown' };
  }
}
