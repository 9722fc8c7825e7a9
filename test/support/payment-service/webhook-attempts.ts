import type { Deposit } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import type { Announcement } from '../../../functions/payment-service/webhooks/announcement.ts';
import { depositAnnouncement, readAnnouncement } from '../../../functions/payment-service/webhooks/announcement.ts';
import type { Attempt, AttemptPorts } from '../../../functions/payment-service/webhooks/attempt-delivery.ts';
import { newDeposit } from './deposits/new-deposit.ts';

export const webhookSecret = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlq';

/** An announcement that must be readable. */
export const announcementIn = (text: string): Announcement => {
  const announcement = readAnnouncement(text);
  if (announcement === undefined) throw new Error(`not an announcement: ${text}`);
  return announcement;
};

export const paidDeposit = newDeposit({ status: 'completed', version: 2 });

export const announcedDeposit = (change: Partial<Deposit> = {}): string =>
  depositAnnouncement({ before: newDeposit(), after: { ...paidDeposit, ...change } });

/** Ports that record their calls. The receiver answers as given. The clock is fixed at the start of 2027. */
export const attemptPorts = (answer: () => Promise<Response>, change: Partial<AttemptPorts> = {}) => {
  const recorded = {
    posted: [] as { address: string; init: RequestInit }[],
    hidden: [] as number[],
    setAside: [] as string[],
    kept: [] as Attempt[],
    logged: [] as string[],
  };
  const ports: AttemptPorts = {
    addressOf: async () => 'https://merchant.example:8443/hook/secret-token?key=secret-key',
    webhookSecretOf: async () => webhookSecret,
    now: () => new Date('2027-01-01T00:00:00.000Z'),
    random: () => 0,
    timeoutSeconds: 10,
    waitsSeconds: [5, 60, 300],
    post: async (address, init) => {
      recorded.posted.push({ address: String(address), init: init ?? {} });
      return await answer();
    },
    hide: async (_, seconds) => {
      recorded.hidden.push(seconds);
    },
    setAside: async ({ body }) => {
      recorded.setAside.push(body);
    },
    keepInLog: async (attempt) => {
      recorded.kept.push(attempt);
    },
    log: (code, ids) => {
      recorded.logged.push(`${code} ${JSON.stringify(ids)}`);
    },
    ...change,
  };
  return { ports, recorded };
};

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  async (): Promise<Response> =>
    new Response(null, { status, headers });
