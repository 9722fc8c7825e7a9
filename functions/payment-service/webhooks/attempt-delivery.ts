import * as z from 'zod';
import { clientIdOf } from '../domain/account.ts';
import { announcementSchema, readAnnouncement } from './announcement.ts';
import type { DeliveryPorts } from './deliver.ts';
import { deliver } from './deliver.ts';
import { nextStep } from './next-step.ts';

/** One attempt, as stored in the delivery log. It contains neither the webhook's body nor the path of the address. */
export const attemptSchema = announcementSchema.pick({ webhookId: true, type: true, about: true }).extend({
  clientId: z.string(),
  /** From 1. */
  attempt: z.number(),
  /** When the attempt began, in ISO 8601 UTC. */
  at: z.string(),
  host: z.string(),
  durationMs: z.number(),
  /** `given_up`: refused, and not tried again. */
  outcome: z.enum(['delivered', 'refused', 'given_up']),
  /** The HTTP status of a delivered webhook. */
  status: z.number().optional(),
  /** The reason for a refusal: `status 500`, or the error's name when there was no answer, or `not_signed`. */
  cause: z.string().optional(),
  /** ISO 8601 UTC. */
  nextAttemptAt: z.string().optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** A webhook as received from the queue. */
interface QueuedWebhook {
  readonly body: string;
  /** How often the queue has delivered it, this time included. */
  readonly attempt: number;
  /** Identifies this delivery by the queue. */
  readonly receiptHandle: string;
}

export interface AttemptPorts extends DeliveryPorts {
  readonly addressOf: (accountId: string) => Promise<string | undefined>;
  readonly waitsSeconds: readonly number[];
  readonly random: () => number;
  /** Hides the webhook in the queue for some seconds. */
  readonly hide: (webhook: QueuedWebhook, seconds: number) => Promise<void>;
  /** Moves it to the dead-letter queue. */
  readonly setAside: (webhook: QueuedWebhook) => Promise<void>;
  readonly keepInLog: (attempt: Attempt) => Promise<void>;
  readonly log: (code: string, ids: Readonly<Record<string, string | number>>) => void;
}

/** Failing to write the log does not undo a delivery, so the webhook is not posted again. */
const keep = async (ports: AttemptPorts, attempt: Attempt): Promise<void> => {
  const { webhookId, attempt: number, outcome } = attempt;
  ports.log('WEBHOOK_ATTEMPTED', { webhookId, attempt: number, outcome });
  try {
    await ports.keepInLog(attempt);
  } catch (error) {
    ports.log('DELIVERY_NOT_LOGGED', { webhookId, errorName: error instanceof Error ? error.name : 'unknown' });
  }
};

/**
 * Makes one attempt at one webhook. Returns `again` when the queue should deliver it again, after the wait that was set
 * here. A webhook that cannot be read, that gets a 410, or whose attempts are over is set aside. One without an address is
 * dropped.
 */
export const attemptDelivery = async (ports: AttemptPorts, webhook: QueuedWebhook): Promise<'done' | 'again'> => {
  const announcement = readAnnouncement(webhook.body);
  if (announcement === undefined) {
    ports.log('WEBHOOK_UNREADABLE', { attempt: webhook.attempt });
    await ports.setAside(webhook);
    return 'done';
  }
  const address = await ports.addressOf(announcement.accountId);
  if (address === undefined) return 'done';
  const startedAt = ports.now();
  const delivery = await deliver(ports, address, announcement);
  const endedAt = ports.now();
  const step = nextStep(delivery, webhook.attempt, ports.waitsSeconds, ports.random);
  if (step.outcome === 'refused') await ports.hide(webhook, step.seconds);
  if (step.outcome === 'given_up') await ports.setAside(webhook);
  const { accountId, webhookId, type, about } = announcement;
  await keep(ports, {
    clientId: clientIdOf(accountId),
    webhookId,
    type,
    about,
    attempt: webhook.attempt,
    at: startedAt.toISOString(),
    // The rest of the address may contain a token that only the merchant should read.
    host: new URL(address).host,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    outcome: step.outcome,
    ...(delivery.kind === 'delivered' ? { status: delivery.status } : { cause: delivery.cause }),
    nextAttemptAt:
      step.outcome === 'refused' ? new Date(endedAt.getTime() + step.seconds * 1000).toISOString() : undefined,
  });
  return step.outcome === 'refused' ? 'again' : 'done';
};
