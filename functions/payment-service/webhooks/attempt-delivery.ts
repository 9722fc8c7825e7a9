import { clientIdOf } from '../domain/account.ts';
import type { Announcement } from './announcement.ts';
import { readAnnouncement } from './announcement.ts';
import type { Delivery, DeliveryPorts } from './deliver.ts';
import { deliver } from './deliver.ts';
import type { Step } from './next-step.ts';
import { nextStep } from './next-step.ts';

/** One attempt, as stored in the delivery log. It contains neither the webhook's body nor the path of the address. */
export interface Attempt extends Pick<Announcement, 'webhookId' | 'type' | 'about'> {
  readonly clientId: string;
  /** From 1. */
  readonly attempt: number;
  /** When the attempt began, in ISO 8601 UTC. */
  readonly at: string;
  readonly host: string;
  readonly durationMs: number;
  /** `given_up`: refused, and not tried again. */
  readonly outcome: 'delivered' | 'refused' | 'given_up';
  /** The HTTP status of a delivered webhook. */
  readonly status?: number | undefined;
  /** The reason for a refusal: `status 500`, or the error's name when there was no answer. */
  readonly cause?: string | undefined;
  /** ISO 8601 UTC. */
  readonly nextAttemptAt?: string | undefined;
}

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

const outcomes = { finish: 'delivered', wait: 'refused', give_up: 'given_up' } as const;

const attemptOf = (
  { accountId, webhookId, type, about }: Announcement,
  address: string,
  attempt: number,
  delivery: Delivery,
  step: Step,
  times: { readonly startedAt: Date; readonly endedAt: Date },
): Attempt => {
  const { startedAt, endedAt } = times;
  return {
    clientId: clientIdOf(accountId),
    webhookId,
    type,
    about,
    attempt,
    at: startedAt.toISOString(),
    // The rest of the address may contain a token that only the merchant should read.
    host: new URL(address).host,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    outcome: outcomes[step.kind],
    status: delivery.kind === 'delivered' ? delivery.status : undefined,
    cause: delivery.kind === 'delivered' ? undefined : delivery.cause,
    nextAttemptAt: step.kind === 'wait' ? new Date(endedAt.getTime() + step.seconds * 1000).toISOString() : undefined,
  };
};

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
 * here. A webhook that cannot be read, or whose attempts are over, is set aside.
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
  const times = { startedAt, endedAt: ports.now() };
  const step = nextStep(delivery, webhook.attempt, ports.waitsSeconds, ports.random);
  if (step.kind === 'wait') await ports.hide(webhook, step.seconds);
  if (step.kind === 'give_up') await ports.setAside(webhook);
  await keep(ports, attemptOf(announcement, address, webhook.attempt, delivery, step, times));
  return step.kind === 'wait' ? 'again' : 'done';
};
