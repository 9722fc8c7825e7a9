import type { Strike } from '../domain/sandbox/faults.ts';
import type { Announcement } from './announcement.ts';
import { readAnnouncement } from './announcement.ts';
import { underway } from './underway.ts';

export interface AnnouncePorts {
  readonly addressOf: (accountId: string) => Promise<string | undefined>;
  readonly enqueue: (announcement: Announcement, delaySeconds: number) => Promise<void>;
  /** How what a merchant wants to go wrong strikes this webhook. */
  readonly strikeFor: (announcement: Announcement) => Promise<Strike>;
  /** Keeps what cannot be read for somebody to look at. */
  readonly setAside: (text: string) => Promise<void>;
}

/**
 * Takes announcements to the delivery queue; those of accounts that registered no address are for nobody. One that cannot
 * be read is set aside, so that it holds up none of those behind it.
 *
 * @throws when a queue or the table does not answer: all of them come again then, and receivers know those they have seen
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
        for (const one of await underway(announcement, await ports.strikeFor(announcement))) {
          await ports.enqueue(one.announcement, one.delaySeconds);
        }
      }
    }),
  );
};
