import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { setStatusByHand } from '../../../../functions/payment-service/domain/disbursement-lifecycle.ts';
import { announcementOf, readAnnouncement } from '../../../../functions/payment-service/webhooks/announcement.ts';
import type { DeliveryPorts } from '../../../../functions/payment-service/webhooks/deliver.ts';
import { deliver } from '../../../../functions/payment-service/webhooks/deliver.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';

const webhookSecret = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlq';
const change = setStatusByHand(newDisbursement({ reference: 'PAY-1', amount: '0.1' }), 'failed', new Date());
const announcement = readAnnouncement(announcementOf(change));

interface Posted {
  readonly address: string;
  readonly init: RequestInit;
}

function ports(answer: () => Promise<Response>, change: Partial<DeliveryPorts> = {}) {
  const posted: Posted[] = [];
  const made: DeliveryPorts = {
    addressOf: async () => 'https://merchant.example/hook',
    readCredentials: async () => [
      {
        clientId: 'merchant',
        clientSecret: 'secret-of-the-merchant',
        apiKey: 'key-of-the-merchant',
        webhookSecret,
      },
    ],
    now: () => new Date(),
    timeoutSeconds: 10,
    post: async (address, init) => {
      posted.push({ address: String(address), init: init ?? {} });
      return await answer();
    },
    ...change,
  };
  return { made, posted };
}

const answering = (status: number) => async () => new Response(null, { status });

it('a webhook tells the change, and its signature is the Standard Webhooks one', async () => {
  const { made, posted } = ports(answering(204));
  expect(await deliver(made, announcement)).toEqual({ kind: 'delivered', status: 204 });
  const { address, init } = posted[0] ?? { address: '', init: {} };
  expect(address).toBe('https://merchant.example/hook');
  const headers = Object.fromEntries(new Headers(init.headers));
  expect(headers['webhook-id']).toBe(`msg_${change.after.disbursementId}_2`);
  expect(new Webhook(webhookSecret).verify(String(init.body), headers)).toMatchObject({
    type: 'disbursement.updated',
    data: { reference: 'PAY-1', status: 'failed', previousStatus: 'pending', amount: 0.1, disbursementType: 'fiat' },
  });
  expect(init.redirect).toBe('manual');
});

describe('a webhook is tried again when the merchant', () => {
  it.each<[string, () => Promise<Response>]>([
    ['answers an error', answering(500)],
    ['sends it elsewhere', answering(302)],
    ['is not to be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['is too slow', () => Promise.reject(new DOMException('timeout', 'TimeoutError'))],
  ])('%s', async (_, answer) => {
    expect(await deliver(ports(answer).made, announcement)).toMatchObject({ kind: 'refused' });
  });
});

it('without an address nothing is posted', async () => {
  const { made, posted } = ports(answering(200), { addressOf: async () => undefined });
  expect(await deliver(made, announcement)).toEqual({ kind: 'no_address' });
  expect(posted).toEqual([]);
});
