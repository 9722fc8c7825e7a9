import * as z from 'zod';
import { InvariantBroken } from '../domain/errors.ts';
import type { Key } from './keys.ts';
import { keys } from './keys.ts';

/** A webhook as it came. */
export interface StoredWebhook {
  /** Hex SHA-256 of the body. */
  readonly hash: string;
  readonly body: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
}

/** Long enough to look into a complaint; a webhook is a hint and nothing depends on it. */
const keptDays = 30;
const daySeconds = 86_400;

/** Epoch seconds at which DynamoDB may remove it; the fraction of a second is cut off. */
const expiresAt = (receivedAt: string): number => {
  const milliseconds = Date.parse(receivedAt);
  if (Number.isNaN(milliseconds)) throw new InvariantBroken('webhook_time_unreadable');
  return Math.floor(milliseconds / 1000) + keptDays * daySeconds;
};

export const webhookItem = (of: StoredWebhook): Key & StoredWebhook & { readonly expiresAt: number } => ({
  ...keys.webhook(of.hash),
  ...of,
  expiresAt: expiresAt(of.receivedAt),
});

const text = z.object({ S: z.string() });
const image = z.object({ sk: z.object({ S: z.literal('WEBHOOK') }), hash: text, body: text, receivedAt: text });

/** The webhook in a stream record's NewImage; undefined for the image of anything else. */
export const webhookOfImage = (newImage: unknown): StoredWebhook | undefined => {
  const read = image.safeParse(newImage);
  if (!read.success) return undefined;
  const { hash, body, receivedAt } = read.data;
  return { hash: hash.S, body: body.S, receivedAt: receivedAt.S };
};
