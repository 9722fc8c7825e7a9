import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createdBy, credentialsOf, envelopeOf, fiatItems, send } from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';
import type { Receiver } from '../../support/payment-service/webhook-receiver.ts';
import { command, startReceiver } from '../../support/payment-service/webhook-receiver.ts';

/** The second merchant, because the orchestrator receives the first one's webhooks. */
const merchant = credentialsOf('sandbox-second');
const { clientId } = merchant;
const patience = { timeout: 60_000, interval: 100 };
let receiver: Receiver;

beforeAll(async () => {
  await send('POST', '/sandbox/reset', undefined, merchant);
  receiver = await startReceiver(() => 204);
  await command('RegisterWebhookFunction', { url: receiver.address, clientId });
});

afterAll(async () => {
  await send('POST', '/sandbox/reset', undefined, merchant);
  await receiver.close();
});

/** A disbursement that stays pending until its status is set by hand. */
const held = async (reference: string = uniqueWord()): Promise<string> => {
  const items = fiatItems(1).map((item) => ({
    ...item,
    reference,
    recipient: { bank: { ...item.recipient.bank, accountNumber: '0012349902' } },
  }));
  const body = { currency: 'PHP', disburseData: items };
  const [made] = await createdBy(send('POST', '/v2/disbursement/fiat', body, merchant));
  return made?.disbursementId ?? '';
};

const setFaults = (fault: string, seconds?: number) =>
  envelopeOf(
    send(
      'PUT',
      '/sandbox/faults',
      { faults: [{ endpoint: 'disbursement.updated', fault, next: 1, seconds }] },
      merchant,
    ),
  );
const setStatus = (id: string, status: string) => send('PATCH', `/v1/disbursement/${id}`, { status }, merchant);
const about = (id: string) => receiver.received.filter(({ body }) => body.includes(id));
const statuses = (id: string) => about(id).map(({ body }) => /"status":"(\w+)"/.exec(body)?.[1]);
const isGenuine = ({ body, headers }: Receiver['received'][number]): boolean => {
  try {
    new Webhook(merchant.webhookSecret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

it('webhook-duplicate: the same webhook arrives twice, with one id', async () => {
  const id = await held();
  await setFaults('webhook-duplicate');
  await setStatus(id, 'failed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(2), patience);
  expect(new Set(about(id).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(about(id).map(isGenuine)).toEqual([true, true]);
});

it('webhook-disorder: the first webhook arrives last', async () => {
  const id = await held();
  await setFaults('webhook-disorder', 6);
  await setStatus(id, 'failed');
  // Both could be announced before either is sent.
  await vi.waitFor(async () => {
    const answer = await envelopeOf(send('GET', '/sandbox/faults', undefined, merchant));
    expect(answer).toMatchObject({ data: { injected: { 'webhook-disorder': 1 } } });
  }, patience);
  await setStatus(id, 'completed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(2), patience);
  expect(statuses(id)).toEqual(['completed', 'failed']);
});

it('webhook-late: the webhook arrives late', async () => {
  const id = await held();
  await setFaults('webhook-late', 4);
  const from = Date.now();
  await setStatus(id, 'failed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(1), patience);
  expect(Date.now() - from).toBeGreaterThan(3900);
});

it('webhook-forged: a forged webhook arrives besides the true one, with another status and no merchant’s signature', async () => {
  const id = await held();
  await setFaults('webhook-forged');
  await setStatus(id, 'failed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(2), patience);
  const [genuine = [], forged = []] = [true, false].map((wanted) =>
    about(id).filter((one) => isGenuine(one) === wanted),
  );
  expect(genuine.map(({ body }) => JSON.parse(body))).toMatchObject([{ data: { status: 'failed' } }]);
  expect(forged.map(({ body }) => JSON.parse(body))).toMatchObject([{ data: { status: 'completed' } }]);
});

it('a reference can ask for webhook-duplicate', async () => {
  const id = await held(`fault:webhook-duplicate:${uniqueWord()}`);
  await setStatus(id, 'failed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(2), patience);
  await setStatus(id, 'completed');
  await vi.waitFor(() => expect(about(id)).toHaveLength(3), patience);
  expect(statuses(id)).toEqual(['failed', 'failed', 'completed']);
});
