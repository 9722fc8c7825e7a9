import * as z from 'zod';
import type { ArrivedWebhook } from '../../ports/ledger/webhook-ledger.ts';
import { expiresAfter } from '../table/expiry.ts';
import type { Expression } from '../table/expressions.ts';
import { reading } from '../table/reading.ts';

/** Long enough to investigate a complaint. A webhook is a hint, and nothing depends on it. */
const webhookDays = 30;
/** A finished lookup matters only while older hints may exist: a dead-letter queue keeps hints for 14 days. */
const lookupDays = 15;

export const webhookExpiresAt = (receivedAt: string): number => expiresAfter(receivedAt, webhookDays);
export const lookupExpiresAt = (askedAt: string): number => expiresAfter(askedAt, lookupDays);

/** Writes one arrival: the body only when it is new, the time always. */
export const arrival = ({ hash, body, receivedAt }: ArrivedWebhook): Expression => ({
  text: 'SET #hash = :hash, #body = if_not_exists(#body, :body), #receivedAt = :receivedAt, #expiresAt = :expiresAt',
  names: { '#hash': 'hash', '#body': 'body', '#receivedAt': 'receivedAt', '#expiresAt': 'expiresAt' },
  values: { ':hash': hash, ':body': body, ':receivedAt': receivedAt, ':expiresAt': webhookExpiresAt(receivedAt) },
});

/** The last lookup for a webhook: its time and owner, the last one that finished, and the reference that an id belongs to. */
export const readLookup = reading('lookup', () =>
  z.object({
    askedAt: z.string(),
    askedBy: z.string(),
    finishedAskedAt: z.string().exactOptional(),
    reference: z.string().exactOptional(),
  }),
);
