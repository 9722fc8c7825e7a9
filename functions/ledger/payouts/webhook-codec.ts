import * as z from 'zod';
import { InvariantBroken } from '../../domain/errors.ts';
import type { ArrivedWebhook } from '../../ports/ledger/webhook-ledger.ts';
import type { Expression } from '../table/expressions.ts';
import { reading } from '../table/reading.ts';

/** Long enough to look into a complaint; a webhook is a hint and nothing depends on it. */
const webhookDays = 30;
/** What a look-up covered is of no use once no hint is older than it: a dead-letter queue keeps hints for 14 days. */
const lookupDays = 15;
const daySeconds = 86_400;

/** Epoch seconds at which DynamoDB may remove an item; the fraction of a second is cut off. */
const secondsAfter = (at: string, days: number): number => {
  const milliseconds = Date.parse(at);
  if (Number.isNaN(milliseconds)) throw new InvariantBroken('webhook_time_unreadable');
  return Math.floor(milliseconds / 1000) + days * daySeconds;
};

export const webhookExpiresAt = (receivedAt: string): number => secondsAfter(receivedAt, webhookDays);
export const lookupExpiresAt = (askedAt: string): number => secondsAfter(askedAt, lookupDays);

/** The write of one arrival: the body only where it is not there yet, the time always. */
export const arrival = ({ hash, body, receivedAt }: ArrivedWebhook): Expression => ({
  text: 'SET #hash = :hash, #body = if_not_exists(#body, :body), #receivedAt = :receivedAt, #expiresAt = :expiresAt',
  names: { '#hash': 'hash', '#body': 'body', '#receivedAt': 'receivedAt', '#expiresAt': 'expiresAt' },
  values: { ':hash': hash, ':body': body, ':receivedAt': receivedAt, ':expiresAt': webhookExpiresAt(receivedAt) },
});

/** When and by whom a payout or an id was last asked about for a webhook, which question was last answered, and what an id is of. */
export const readLookup = reading('lookup', () =>
  z.object({
    askedAt: z.string(),
    askedBy: z.string(),
    finishedAskedAt: z.string().exactOptional(),
    reference: z.string().exactOptional(),
  }),
);
