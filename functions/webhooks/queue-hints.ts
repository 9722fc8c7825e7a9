import middy from '@middy/core';
import * as z from 'zod';
import type { Hint } from '../ports/hint-queue.ts';
import type { Needs } from '../ports/needs.ts';
import type { WebhookNames } from '../ports/webhook-names.ts';
import { hintQueue, log, webhookNames } from '../runtime.ts';
import { findCandidates } from './find-candidates.ts';

type QueueHintsDependencies = Needs<{ hintQueue: 'send' }, 'log'> & {
  /** The field names of the provider that sends the webhooks. */
  readonly webhookNames: WebhookNames;
};

const text = z.object({ S: z.string() });

/** The stream's records of arrived webhooks. The event source's filter drops all other items. */
const streamEvent = z.object({
  Records: z.array(
    z.object({ dynamodb: z.object({ NewImage: z.object({ hash: text, body: text, receivedAt: text }) }) }),
  ),
});

/**
 * Moves webhooks from the ledger's stream to the queue of hints, where each is retried and set aside separately. Nothing here
 * can fail for one webhook only. So an exception means an outage, and the stream repeats the whole batch. A hint that is queued
 * twice causes one lookup.
 */
export const queueHints = async (
  { hintQueue, webhookNames, log }: QueueHintsDependencies,
  { Records }: z.infer<typeof streamEvent>,
): Promise<void> => {
  const hints = Records.flatMap(({ dynamodb }): readonly Hint[] => {
    const { hash, body, receivedAt } = dynamodb.NewImage;
    const named = findCandidates(webhookNames, body.S);
    if (named !== undefined && named.candidates.length > 0)
      return [{ webhook: hash.S, receivedAt: receivedAt.S, ...named }];
    log.info('webhook.names_nothing', { webhook: hash.S, json: named !== undefined });
    return [];
  });
  await hintQueue.send(hints);
};

export const handler = middy<unknown, void>().handler((event: unknown) =>
  queueHints({ hintQueue: hintQueue(), webhookNames, log }, streamEvent.parse(event)),
);
