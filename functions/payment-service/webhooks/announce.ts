import type { Strike } from '../domain/sandbox/faults.ts';
import type { Announcement } from './announcement.ts';
import { readAnnouncement } from './announcement.ts';

export interface AnnouncePorts {
  readonly addressOf: (accountId: string) => Promise<string | undefined>;
  readonly enqueue: (announcement: Announcement, delaySeconds: number) => Promise<void>;
  /** The faults that may strike this webhook. */
  readonly strikeFor: (announcement: Announcement) => Promise<Strike>;
  /** Keeps an unreadable text for a person to inspect. */
  readonly setAside: (text: string) => Promise<void>;
}

/** A copy with its own webhook id and a false status. */
const forgedFrom = (announcement: Announcement): Announcement => {
  const { webhookId, body } = announcement;
  return {
    ...announcement,
    webhookId: webhookId.replace(/^msg_/, 'msg_forged_'),
    body: body.replace(
      /"status":"(\w+)"/,
      (_, status) => `"status":"${status === 'completed' ? 'failed' : 'completed'}"`,
    ),
    forged: true,
  };
};

/** The webhooks to queue for an announcement, after faults. The delay is in whole seconds. */
export const webhooksFor = async (announcement: Announcement, strike: Strike) => {
  const held = (await strike('webhook-late')) ?? (await strike('webhook-disorder'));
  const own = { announcement, delaySeconds: held?.seconds ?? 0 };
  const duplicates = (await strike('webhook-duplicate')) === undefined ? [] : [own];
  const isForged = (await strike('webhook-forged')) !== undefined;
  const forged = isForged ? [{ announcement: forgedFrom(announcement), delaySeconds: 0 }] : [];
  return [...forged, own, ...duplicates];
};

/**
 * Queues announcements for delivery, and drops those of accounts without an address. An unreadable one is set aside, so
 * that it does not block the ones behind it.
 *
 * @throws when a queue or the table does not answer. The stream then repeats all announcements; receivers deduplicate
 * by id
 */
export const announce = async (ports: AnnouncePorts, texts: readonly string[]): Promise<void> => {
  const read = texts.map((text) => ({ text, announcement: readAnnouncement(text) }));
  const accounts = new Set(read.flatMap(({ announcement }) => announcement?.accountId ?? []));
  const listening = new Set<string>();
  for (const accountId of accounts) {
    if ((await ports.addressOf(accountId)) !== undefined) listening.add(accountId);
  }
  await Promise.all(
    read.map(async ({ text, announcement }) => {
      if (announcement === undefined) await ports.setAside(text);
      else if (listening.has(announcement.accountId)) {
        for (const one of await webhooksFor(announcement, await ports.strikeFor(announcement))) {
          await ports.enqueue(one.announcement, one.delaySeconds);
        }
      }
    }),
  );
};
