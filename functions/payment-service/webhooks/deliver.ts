import { Webhook } from 'standardwebhooks';
import { clientIdOf } from '../domain/account.ts';
import type { Announcement } from './announcement.ts';

export interface DeliveryPorts {
  /** The secret for signing a merchant's webhooks: base64, without the `whsec_` prefix. */
  readonly webhookSecretOf: (clientId: string) => Promise<string>;
  readonly now: () => Date;
  readonly timeoutSeconds: number;
  readonly post: typeof fetch;
}

export type Delivery =
  | { readonly kind: 'delivered'; readonly status: number }
  /** Worth another attempt, but not sooner than the receiver asks. `not_signed`: nothing was posted, since the secret is broken. */
  | { readonly kind: 'refused'; readonly cause: string; readonly retryAfterSeconds?: number | undefined }
  /** The receiver says that it will never accept this webhook. */
  | { readonly kind: 'gone'; readonly cause: string };

/** The seconds that a 429 or 503 asks to wait. A date is ignored: the schedule's own wait applies. */
const retryAfterSeconds = ({ status, headers }: Response): number | undefined => {
  const said = headers.get('retry-after') ?? '';
  return (status === 429 || status === 503) && /^\d{1,9}$/.test(said) ? Number(said) : undefined;
};

const read = (response: Response): Delivery => {
  const { status, ok } = response;
  if (ok) return { kind: 'delivered', status };
  const cause = `status ${status}`;
  if (status === 410) return { kind: 'gone', cause };
  return { kind: 'refused', cause, retryAfterSeconds: retryAfterSeconds(response) };
};

/** Signs forged webhooks. It is no merchant's secret, because those are random. */
const forgersSecret = Buffer.from('somebody who is not the payment service').toString('base64');

/** Undefined when the secret is not base64. */
const signatureBy = (secret: string, webhookId: string, at: Date, body: string): string | undefined => {
  try {
    return new Webhook(secret).sign(webhookId, at, body);
  } catch {
    return undefined;
  }
};

/** Posts one webhook, signed by Standard Webhooks. Any 2xx in time is a delivery. Redirects are not followed. */
export const deliver = async (ports: DeliveryPorts, address: string, announcement: Announcement): Promise<Delivery> => {
  const { accountId, webhookId, body, forged } = announcement;
  const secret = forged === true ? forgersSecret : await ports.webhookSecretOf(clientIdOf(accountId));
  const now = ports.now();
  const signature = signatureBy(secret, webhookId, now, body);
  if (signature === undefined) return { kind: 'refused', cause: 'not_signed' };
  try {
    const response = await ports.post(address, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(ports.timeoutSeconds * 1000),
      headers: {
        'content-type': 'application/json',
        'webhook-id': webhookId,
        'webhook-timestamp': Math.floor(now.getTime() / 1000).toString(),
        'webhook-signature': signature,
      },
      body,
    });
    await response.body?.cancel().catch(() => undefined);
    return read(response);
  } catch (error) {
    return { kind: 'refused', cause: error instanceof Error ? error.name : 'unknown' };
  }
};
