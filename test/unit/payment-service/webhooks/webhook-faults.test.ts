import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Fault, Strike } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import { webhooksFor } from '../../../../functions/payment-service/webhooks/announce.ts';
import { deliver } from '../../../../functions/payment-service/webhooks/deliver.ts';
import {
  announcedDeposit,
  announcementIn,
  answering,
  attemptPorts,
  webhookSecret,
} from '../../../support/payment-service/webhook-attempts.ts';

const announcement = announcementIn(announcedDeposit());
const striking =
  (set: readonly Fault[]): Strike =>
  async (fault) =>
    set.includes(fault) ? { fault, seconds: 7 } : undefined;

describe('an announcement is queued', () => {
  it.each<[readonly Fault[], readonly (readonly [string, number])[]]>([
    [[], [['own', 0]]],
    [['webhook-late'], [['own', 7]]],
    [['webhook-disorder'], [['own', 7]]],
    [
      ['webhook-duplicate'],
      [
        ['own', 0],
        ['own', 0],
      ],
    ],
    [
      ['webhook-forged', 'webhook-late'],
      [
        ['forged', 0],
        ['own', 7],
      ],
    ],
  ])('with %j', async (set, expected) => {
    const sent = await webhooksFor(announcement, striking(set));
    expect(sent.map((one) => [one.announcement.forged === true ? 'forged' : 'own', one.delaySeconds])).toEqual(
      expected,
    );
  });

  it('a forged webhook has another status, another id and a wrong signature', async () => {
    const [forged] = await webhooksFor(announcement, striking(['webhook-forged']));
    if (forged === undefined) throw new Error('nothing was forged');
    const { ports, recorded } = attemptPorts(answering(204), { now: () => new Date() });
    await deliver(ports, 'https://merchant.example/hook', forged.announcement);
    const { headers, body } = recorded.posted[0]?.init ?? {};
    expect(JSON.parse(String(body))).toMatchObject({ data: { status: 'failed', previousStatus: 'pending' } });
    expect(forged.announcement.webhookId).not.toBe(announcement.webhookId);
    expect(() => new Webhook(webhookSecret).verify(String(body), Object.fromEntries(new Headers(headers)))).toThrow(
      'No matching signature',
    );
  });
});
