import { Webhook } from 'standardwebhooks';
import { nameOfError } from '../domain/errors.ts';
import type { CloudEvent } from '../domain/events/cloud-event.ts';

export interface PostEventDependencies {
  /** Standard Webhooks secrets: one, or two during a rotation. */
  readonly secrets: readonly string[];
  readonly url: string;
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly post: typeof fetch;
}

type Posted =
  | { readonly kind: 'taken'; readonly status: number }
  /** Worth another attempt, but not sooner than the receiver asks for. */
  | { readonly kind: 'refused'; readonly cause: string; readonly retryAfterSeconds?: number }
  /** The receiver will never take this event. */
  | { readonly kind: 'gone' };

const read = ({ ok, status, headers }: Response): Posted => {
  if (ok) return { kind: 'taken', status };
  if (status === 410) return { kind: 'gone' };
  // A 429 or 503 may ask for a wait. A date in place of seconds is ignored.
  const seconds = headers.get('retry-after') ?? '';
  const asksForWait = (status === 429 || status === 503) && /^\d+$/.test(seconds);
  return { kind: 'refused', cause: `status ${status}`, ...(asksForWait ? { retryAfterSeconds: Number(seconds) } : {}) };
};

/**
 * Posts one event, once, signed by the Standard Webhooks rules. The message's id is the event's. Any 2xx within the timeout
 * means that the receiver took it. Redirects are not followed, because signature and event are meant only for the configured
 * address.
 */
export const postEvent = async (dependencies: PostEventDependencies, event: CloudEvent): Promise<Posted> => {
  const { secrets, url, timeoutMs, now, post } = dependencies;
  const body = JSON.stringify(event);
  const at = new Date(now());
  try {
    const response = await post(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/cloudevents+json',
        'webhook-id': event.id,
        'webhook-timestamp': Math.floor(at.getTime() / 1000).toString(),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(event.id, at, body)).join(' '),
      },
      body,
    });
    await response.body?.cancel();
    return read(response);
  } catch (error) {
    return { kind: 'refused', cause: nameOfError(error) };
  }
};
