import { clientIdOf } from '../domain/account.ts';
import type { Announcement } from './announcement.ts';
import { readAnnouncement } from './announcement.ts';
import type { Delivery, DeliveryPorts } from './deliver.ts';
import { deliver } from './deliver.ts';
import type { Step } from './next-step.ts';
import { nextStep } from './next-step.ts';

/** One attempt, as the log of deliveries keeps it: neither the webhook's body nor the address's path. */
export interface Attempt extends Pick<Announcement, 'webhookId' | 'type' | 'about'> {
  readonly clientId: string;
  /** From 1. */
  readonly attempt: number;
  /** ISO 8601 UTC: when it began. */
  readonly at: string;
  readonly host: string;
  readonly durationMs: number;
  /** `given_up`: refused, and not tried again. */
  readonly outcome: 'delivered' | 'refused' | 'given_up';
  /** The HTTP status of a delivered webhook. */
  readonly status?: number | undefined;
  /** Why it was refused: `status 500`, or the error's name when there was no answer. */
  readonly cause?: string | undefined;
  /** ISO 8601 UTC. */
  readonly nextAttemptAt?: string | undefined;
}

/** A webhook as the queue hands it over. */
export interface QueuedWebhook {
  readonly body: string;
  /** Counted from 1: how often the queue has handed it over, this time included. */
  readonly attempt: number;
  /** By which the queue knows this handing over. */
  readonly receiptHandle: string;
}

export interface AttemptPorts extends DeliveryPorts {
  readonly addressOf: (accountId: string) => Promise<string | undefined>;
  readonly waitsSeconds: readonly number[];
  readonly random: () => number;
  /** Lets the queue keep the webhook to itself for so many seconds. */
  readonly hide: (webhook: QueuedWebhook, seconds: number) => Promise<void>;
  /** Puts it into the dead-letter queue. */
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
    // The rest of an address may hold a token that nobody but the merchant is to read.
    host: new URL(address).host,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    outcome: outcomes[step.kind],
    status: delivery.kind === 'delivered' ? delivery.status : undefined,
    cause: delivery.kind === 'delivered' ? undefined : delivery.cause,
    nextAttemptAt: step.kind === 'wait' ? new Date(endedAt.getTime() + step.seconds * 1000).toISOString() : undefined,
  };
};

/** What was delivered stays delivered when the log cannot be written: it is not posted again for that. */
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
 * One attempt at one webhook. Answers whether the queue is to hand it over again, which it does after the wait that was
 * set here. What cannot be read, was refused for good, or was refused once too often is set aside.
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
