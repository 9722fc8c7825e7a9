import { isUtf8 } from 'node:buffer';
import { hash, timingSafeEqual } from 'node:crypto';
import middy from '@middy/core';
import * as z from 'zod';
import { given } from '../domain/given.ts';
import { isoNow } from '../ports/environment.ts';
import type { Needs } from '../ports/needs.ts';
import { clock, ledger, log, webhookSettings } from '../runtime.ts';
import type { WebhookResponse } from './respond.ts';
import { accepted, refuse } from './respond.ts';
import { signedIdOf } from './verify-signature.ts';

type ReceiveDependencies = Needs<{ ledger: 'storeWebhook' }, 'clock'> & {
  readonly webhookSettings: () => Promise<{ readonly token: string; readonly secrets: readonly string[] }>;
};

/** Maximum bytes of a webhook. Far below the 400 KB of a DynamoDB item, far above any notice of a payout. */
const maxBytes = 64 * 1024;

const webhookEvent = z.object({
  pathParameters: z.object({ token: z.string() }),
  headers: z.record(z.string(), z.string().nullish()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().optional(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares the hashes, which have equal length, in constant time, so that the response time reveals nothing about the token. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(sha256(given), sha256(token));

const lowerCased = (headers: WebhookEvent['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']));

/** Stores a webhook's body once, records the arrival for the stream, and answers. Does not look at the content. */
export const receive = async (dependencies: ReceiveDependencies, event: WebhookEvent): Promise<WebhookResponse> => {
  const { token, secrets } = await dependencies.webhookSettings();
  if (!isSame(event.pathParameters.token, token)) return refuse('not_found');
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength > maxBytes) return refuse('webhook_too_large');
  if (bytes.byteLength === 0 || !isUtf8(bytes)) return refuse('invalid_request');
  // With its byte order mark, so that the text equals the signed bytes.
  const body = bytes.toString('utf8');
  const signedId = signedIdOf(secrets, { headers: lowerCased(event.headers), body });
  if (secrets.length > 0 && signedId === undefined) return refuse('webhook_not_verified');
  await dependencies.ledger.storeWebhook({
    hash: hash('sha256', body),
    body,
    receivedAt: isoNow(dependencies.clock),
    ...given({ signedId }),
  });
  return accepted();
};

export const handler = middy<unknown, WebhookResponse>()
  .onError((failure) => {
    log.warn('webhook.receive_failed', { error: failure.error?.name ?? 'unknown' });
    return refuse('internal_error');
  })
  .handler(async (event: unknown) => {
    const response = await receive({ ledger: ledger(), webhookSettings, clock }, webhookEvent.parse(event));
    log.info('webhook.answered', { status: response.statusCode });
    return response;
  });
