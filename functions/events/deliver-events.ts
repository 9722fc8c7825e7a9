import middy from '@middy/core';
import { nameOfError } from '../domain/errors.ts';
import { cloudEvent } from '../domain/events/cloud-event.ts';
import { parseJson } from '../domain/json-text.ts';
import type { QueuedMessage, QueuedMessages, RedeliveryResponse } from '../domain/queued-messages.ts';
import { queuedMessages } from '../domain/queued-messages.ts';
import { longestWaitSeconds } from '../domain/settings.ts';
import type { DeliveryQueue } from '../ports/delivery-queue.ts';
import type { Log } from '../ports/environment.ts';
import { clock, eventQueue, eventWebhook, log } from '../runtime.ts';
import type { PostEventDependencies } from './post-event.ts';
import { postEvent } from './post-event.ts';

interface DeliverEventsDependencies extends PostEventDependencies {
  readonly eventQueue: DeliveryQueue;
  readonly log: Log;
  /** Seconds between attempts. After the last of these waits one more attempt follows, and then the queue sets the event aside. */
  readonly waitsSeconds: readonly number[];
}

/** Milliseconds that a receiver may take to answer. */
const answerMs = 10_000;

/** Tries to deliver one event. Returns true when the queue must deliver it again. */
const deliverOne = async (
  dependencies: DeliverEventsDependencies,
  { body, receiptHandle, attributes }: QueuedMessage,
): Promise<boolean> => {
  const { eventQueue, log, waitsSeconds } = dependencies;
  const attempt = attributes.ApproximateReceiveCount;
  const event = parseJson(cloudEvent(), body);
  if (event === undefined) {
    log.warn('event_webhook.set_aside', { cause: 'unreadable' });
    await eventQueue.setAside(body);
    return false;
  }
  const posted = await postEvent(dependencies, event);
  switch (posted.kind) {
    case 'taken':
      log.info('event_webhook.delivered', { event: event.id, attempt, status: posted.status });
      return false;
    case 'gone':
      log.warn('event_webhook.set_aside', { event: event.id, attempt, cause: 'status 410' });
      await eventQueue.setAside(body);
      return false;
    case 'refused': {
      const wait = waitsSeconds[attempt - 1];
      log.warn('event_webhook.refused', { event: event.id, attempt, cause: posted.cause });
      // Not hidden after its last attempt, so that the queue sets it aside immediately.
      const seconds = wait === undefined ? 0 : Math.max(wait, posted.retryAfterSeconds ?? 0);
      await eventQueue.hide(receiptHandle, Math.min(seconds, longestWaitSeconds));
      return true;
    }
  }
};

/** Tries one event. After an unexpected error it comes again when its visibility times out, and the others are not repeated. */
const comesAgain = async (dependencies: DeliverEventsDependencies, queued: QueuedMessage): Promise<boolean> => {
  try {
    return await deliverOne(dependencies, queued);
  } catch (error) {
    dependencies.log.warn('event_webhook.try_failed', { messageId: queued.messageId, error: nameOfError(error) });
    return true;
  }
};

/** Posts events from the queue to the merchant's address. */
export const deliverEvents = async (
  dependencies: DeliverEventsDependencies,
  { Records }: QueuedMessages,
): Promise<RedeliveryResponse> => {
  const outcomes = await Promise.all(
    Records.map(async (queued) => ((await comesAgain(dependencies, queued)) ? [queued.messageId] : [])),
  );
  return { batchItemFailures: outcomes.flat().map((itemIdentifier) => ({ itemIdentifier })) };
};

export const handler = middy<unknown, RedeliveryResponse>().handler(async (event: unknown) =>
  deliverEvents(
    { ...(await eventWebhook()), eventQueue: eventQueue(), timeoutMs: answerMs, now: clock, post: fetch, log },
    queuedMessages.parse(event),
  ),
);
