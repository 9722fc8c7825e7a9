import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { times } from '../example.ts';
import { losingAnswers } from '../faults.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();

const webhookAt = (receivedAt: string, hash: string = randomUUID()) => ({ hash, body: '{"id":"1"}', receivedAt });
const itemOf = async (hash: string) => {
  const Key = { pk: `WEBHOOK#${hash}`, sk: 'WEBHOOK' };
  return (await dependencies.client.send(new GetCommand({ TableName: dependencies.table, Key }))).Item;
};

it('stores an arrival once, even when its write is repeated', async () => {
  const webhook = webhookAt('2026-03-14T09:26:53.589Z');
  const answers = await times(10, () => ledger.storeWebhook(webhook));
  expect(answers.filter((stored) => stored)).toHaveLength(1);
});

it('keeps it for thirty days', async () => {
  const webhook = webhookAt('2026-03-14T00:00:00.999Z');
  await ledger.storeWebhook(webhook);
  const key = { pk: `WEBHOOK#${webhook.hash}`, sk: 'WEBHOOK' };
  expect(await itemOf(webhook.hash)).toEqual({
    ...key,
    ...webhook,
    expiresAt: Date.parse('2026-04-13T00:00:00Z') / 1000,
  });
});

it('treats the same bytes later as new, and never returns to an earlier arrival', async () => {
  const first = webhookAt('2026-03-14T09:00:00.000Z');
  expect(await ledger.storeWebhook(first)).toBe(true);
  expect(await ledger.storeWebhook({ ...first, receivedAt: '2026-03-14T09:00:40.000Z' })).toBe(true);
  expect(await ledger.storeWebhook({ ...first, receivedAt: '2026-03-14T09:00:20.000Z' })).toBe(false);
  expect(await itemOf(first.hash)).toMatchObject({ body: first.body, receivedAt: '2026-03-14T09:00:40.000Z' });
});

it('accepts a signed message once, and treats another id or other bytes as new', async () => {
  const first = { ...webhookAt('2026-03-14T09:00:00.000Z'), signedId: 'msg-1' };
  expect(await ledger.storeWebhook(first)).toBe(true);
  expect(await ledger.storeWebhook({ ...first, receivedAt: '2026-03-14T09:04:00.000Z' })).toBe(false);
  expect((await itemOf(first.hash))?.['receivedAt']).toBe(first.receivedAt);
  const at = '2026-03-14T09:05:00.000Z';
  expect(await ledger.storeWebhook({ ...first, receivedAt: at, signedId: 'msg-2' })).toBe(true);
  expect(await ledger.storeWebhook({ ...webhookAt(at), signedId: 'msg-1' })).toBe(true);
});

describe('looking a payout up because of webhooks', () => {
  const windowSeconds = 30;
  const nowIso = () => new Date(time.now).toISOString();

  it('begins once in a window, even with concurrent requests', async () => {
    const reference = randomUUID();
    const hint = { receivedAt: nowIso(), windowSeconds };
    const answers = await times(20, () => ledger.beginLookup({ reference }, hint));
    expect(answers.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
    expect(answers).toContainEqual({ kind: 'closed', until: new Date(time.now + 30_000).toISOString() });
    time.now += 29_999;
    expect(await ledger.beginLookup({ reference }, hint)).toMatchObject({ kind: 'closed' });
    time.now += 1;
    expect(await ledger.beginLookup({ reference }, hint)).toEqual({ kind: 'begun', askedAt: nowIso() });
  });

  it('covers earlier hints once it is finished, and no later ones', async () => {
    const reference = randomUUID();
    const before = { receivedAt: nowIso(), windowSeconds };
    time.now += 1000;
    const begun = nowIso();
    expect(await ledger.beginLookup({ reference }, before)).toEqual({ kind: 'begun', askedAt: begun });
    const until = new Date(time.now + 30_000).toISOString();
    expect(await ledger.beginLookup({ reference }, before)).toEqual({ kind: 'under_way', askedAt: begun, until });
    expect(await ledger.beginLookup({ reference }, { receivedAt: begun, windowSeconds })).toEqual({
      kind: 'closed',
      until,
    });
    await ledger.finishLookup({ reference }, begun);
    expect(await ledger.beginLookup({ reference }, before)).toEqual({ kind: 'covered' });
    expect(await ledger.beginLookup({ reference }, { receivedAt: begun, windowSeconds })).toMatchObject({
      kind: 'closed',
    });
    time.now += 30_000;
    expect(await ledger.beginLookup({ reference }, { receivedAt: begun, windowSeconds })).toMatchObject({
      kind: 'begun',
    });
  });

  it('does not undo a later one when it finishes late', async () => {
    const reference = randomUUID();
    const early = nowIso();
    await ledger.beginLookup({ reference }, { receivedAt: early, windowSeconds });
    time.now += 40_000;
    const late = nowIso();
    await ledger.beginLookup({ reference }, { receivedAt: late, windowSeconds });
    await ledger.finishLookup({ reference }, late);
    await ledger.finishLookup({ reference }, early);
    const hint = { receivedAt: new Date(time.now - 1).toISOString(), windowSeconds };
    expect(await ledger.beginLookup({ reference }, hint)).toEqual({ kind: 'covered' });
  });

  it('keeps the reference found for an id', async () => {
    const [id, nobodys] = [randomUUID(), randomUUID()];
    for (const one of [id, nobodys]) await ledger.beginLookup({ id: one }, { receivedAt: nowIso(), windowSeconds });
    expect(await ledger.findReferenceOf(id)).toBeUndefined();
    await ledger.finishLookup({ id }, nowIso(), 'r-1');
    await ledger.finishLookup({ id: nobodys }, nowIso());
    expect(await ledger.findReferenceOf(id)).toBe('r-1');
    expect(await ledger.findReferenceOf(nobodys)).toBeUndefined();
    expect(await ledger.findReferenceOf(randomUUID())).toBeUndefined();
  });

  it('begins once when the answers of its writes are lost', async () => {
    const lossy = losingAnswers(dependencies);
    const hint = { receivedAt: nowIso(), windowSeconds };
    expect(await lossy.beginLookup({ reference: randomUUID() }, hint)).toMatchObject({ kind: 'begun' });
  });
});
