import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { setStatusByHand } from '../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import { disbursementAnnouncement } from '../../../../functions/payment-service/webhooks/announcement.ts';
import { deliver } from '../../../../functions/payment-service/webhooks/deliver.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';
import {
  announcedDeposit,
  announcementIn,
  answering,
  attemptPorts,
  webhookSecret,
} from '../../../support/payment-service/webhook-attempts.ts';

const address = 'https://merchant.example/hook';
const change = setStatusByHand(
  newDisbursement({ reference: 'PAY-1', amount: Money.of('0.1', 'PHP') }),
  'failed',
  new Date(),
);
const announcement = announcementIn(disbursementAnnouncement(change));

/** The request that a receiver gets when the webhook is sent at this moment. */
const received = async (sent = announcement, at = new Date()) => {
  const { ports, recorded } = attemptPorts(answering(204), { now: () => at });
  await deliver(ports, address, sent);
  const init = recorded.posted[0]?.init;
  return { body: String(init?.body), headers: Object.fromEntries(new Headers(init?.headers)) };
};

describe('a receiver that verifies by Standard Webhooks', () => {
  it('accepts the webhook of a disbursement', async () => {
    const { body, headers } = await received();
    expect(headers['webhook-id']).toBe(`msg_${change.after.disbursementId}_2`);
    expect(new Webhook(`whsec_${webhookSecret}`).verify(body, headers)).toMatchObject({
      type: 'disbursement.updated',
      data: { reference: 'PAY-1', status: 'failed', previousStatus: 'pending', amount: 0.1, disbursementType: 'fiat' },
    });
  });

  it('accepts the webhook of a deposit', async () => {
    const { body, headers } = await received(announcementIn(announcedDeposit()));
    expect(new Webhook(webhookSecret).verify(body, headers)).toMatchObject({
      type: 'deposit.updated',
      data: { orderId: 'dep_0123456789abcdef01234567', status: 'completed', previousStatus: 'pending' },
    });
  });

  it('refuses one signed with another secret', async () => {
    const { body, headers } = await received();
    const other = new Webhook(`${webhookSecret.slice(0, -4)}AAAA`);
    expect(() => other.verify(body, headers)).toThrow('No matching signature found');
  });

  it('refuses one whose body or id was changed on the way', async () => {
    const { body, headers } = await received();
    const receiver = new Webhook(webhookSecret);
    expect(() => receiver.verify(body.replace('failed', 'completed'), headers)).toThrow('No matching signature');
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_other_1' })).toThrow('No matching signature');
  });

  it('refuses one replayed an hour later with the old signature', async () => {
    const { body, headers } = await received(announcement, new Date(Date.now() - 3_600_000));
    expect(() => new Webhook(webhookSecret).verify(body, headers)).toThrow('too old');
  });

  it('accepts a later attempt: same id, new time and new signature', async () => {
    const first = await received(announcement, new Date(Date.now() - 3_600_000));
    const second = await received();
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
    expect(new Webhook(webhookSecret).verify(second.body, second.headers)).toMatchObject({ data: {} });
  });
});

it.each(['', 'no base64'])('a webhook is not posted while the secret cannot sign: %j', async (secret) => {
  const { ports, recorded } = attemptPorts(answering(200), { webhookSecretOf: async () => secret });
  expect(await deliver(ports, address, announcement)).toEqual({ kind: 'refused', cause: 'not_signed' });
  expect(recorded.posted).toEqual([]);
});

it('a webhook goes only to the registered address', async () => {
  const { ports, recorded } = attemptPorts(answering(200));
  await deliver(ports, address, announcement);
  expect(recorded.posted).toMatchObject([{ address, init: { method: 'POST', redirect: 'manual' } }]);
});

it.each<[string, () => Promise<Response>, object]>([
  ['200', answering(200), { kind: 'delivered', status: 200 }],
  ['204', answering(204), { kind: 'delivered', status: 204 }],
  [
    '200 before its body breaks off',
    async () => new Response(new ReadableStream({ cancel: () => Promise.reject(new Error('reset')) })),
    { kind: 'delivered', status: 200 },
  ],
  ['500', answering(500), { kind: 'refused', cause: 'status 500' }],
  ['302: no redirect is followed', answering(302), { kind: 'refused', cause: 'status 302' }],
  ['410', answering(410), { kind: 'gone', cause: 'status 410' }],
  [
    '429 with a time',
    answering(429, { 'retry-after': '120' }),
    { kind: 'refused', cause: 'status 429', retryAfterSeconds: 120 },
  ],
  [
    '503 with a time',
    answering(503, { 'retry-after': '7' }),
    { kind: 'refused', cause: 'status 503', retryAfterSeconds: 7 },
  ],
  [
    '503 with a date',
    answering(503, { 'retry-after': 'Fri, 01 Jan 2027 00:00:00 GMT' }),
    { kind: 'refused', cause: 'status 503' },
  ],
  ['500 with a time', answering(500, { 'retry-after': '7' }), { kind: 'refused', cause: 'status 500' }],
  ['no answer', () => Promise.reject(new TypeError('fetch failed')), { kind: 'refused', cause: 'TypeError' }],
  [
    'a late answer',
    () => Promise.reject(new DOMException('timeout', 'TimeoutError')),
    { kind: 'refused', cause: 'TimeoutError' },
  ],
])('the receiver’s answer decides: %s', async (_, answer, delivery) => {
  expect(await deliver(attemptPorts(answer).ports, address, announcement)).toEqual(delivery);
});
