import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { numberNews } from '../../../functions/domain/events/cloud-event.ts';
import { batchNews } from '../../../functions/domain/events/news.ts';
import type { QueuedMessage } from '../../../functions/domain/queued-messages.ts';
import { deliverEvents } from '../../../functions/events/deliver-events.ts';
import { drawsAll } from '../../support/fast-loop.ts';
import { silentLog } from '../../support/silent-log.ts';

const secret = `whsec_${Buffer.from('a secret of the merchant').toString('base64')}`;
const older = `whsec_${Buffer.from('the one that it replaces').toString('base64')}`;
const [event] = numberNews('b-1', { sequence: 6 }, [
  batchNews('2026-01-05T09:00:00.000Z', batchTransitions.complete),
]).events;
const body = JSON.stringify(event);

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A receiver on this machine that gives this answer, or none. */
const receiver = async (answer: { status: number; headers?: Record<string, string> } | 'nothing') => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const text = (await Array.fromAsync(request)).join('');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ headers, body: text });
    if (answer !== 'nothing') response.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const address = server.address() satisfies AddressInfo | string | null;
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { received, url: `http://127.0.0.1:${address.port}/hooks` };
};

/** Longer than any answer of a receiver takes on a busy machine. */
const patienceMs = 60_000;

/** What the deliverer works with, and what it does to the queue. */
const world = (url: string, timeoutMs = patienceMs) => {
  const done: unknown[] = [];
  const dependencies = {
    url,
    secrets: [secret, older],
    waitsSeconds: [5, 300],
    timeoutMs,
    now: Date.now,
    post: fetch,
    eventQueue: {
      hide: async (handle: string, seconds: number) => void done.push(['hide', handle, seconds]),
      setAside: async (aside: string) => void done.push(['set aside', aside]),
    },
    log: silentLog,
  };
  return { done, dependencies };
};

const queuedEvent = (id: string, { attempt = 1, text = body } = {}): QueuedMessage => ({
  messageId: `m-${id}`,
  receiptHandle: `r-${id}`,
  body: text,
  attributes: { ApproximateReceiveCount: attempt },
});

const deliver = async (url: string, delivery: { attempt?: number; text?: string; timeoutMs?: number } = {}) => {
  const { done, dependencies } = world(url, delivery.timeoutMs);
  const { batchItemFailures } = await deliverEvents(dependencies, { Records: [queuedEvent('1', delivery)] });
  return { done, again: batchItemFailures.length > 0 };
};

describe('an event for the merchant', () => {
  it('is posted once, under its own id, so that either secret verifies it', async () => {
    const { url, received } = await receiver({ status: 204 });
    expect(await deliver(url)).toEqual({ done: [], again: false });
    expect(received).toHaveLength(1);
    const [{ headers, body: text } = { headers: {}, body: '' }] = received;
    expect(headers['webhook-id']).toBe('b-1-0000007');
    expect(headers['content-type']).toBe('application/cloudevents+json');
    for (const one of [secret, older]) expect(new Webhook(one).verify(text, headers)).toEqual(event);
    expect(() => new Webhook(secret).verify(text.replace('completed', 'failed'), headers)).toThrow();
  });

  it.each([
    ['an error', { status: 500 }, 1, 5],
    ['an error again', { status: 500 }, 2, 300],
    ['an error to the last attempt, unhidden, so that the queue sets it aside', { status: 500 }, 3, 0],
    ['a redirect, which is not followed', { status: 302, headers: { location: '/elsewhere' } }, 1, 5],
    ['a wish to wait', { status: 429, headers: { 'retry-after': '60' } }, 1, 60],
    ['a wish to wait for a day', { status: 503, headers: { 'retry-after': '86400' } }, 1, 42_600],
    ['a wish to wait for two weeks', { status: 503, headers: { 'retry-after': '1209600' } }, 1, 42_600],
    ['nothing in time', 'nothing' as const, 1, 5],
  ])('stays in the queue after %s', async (_what, answer, attempt, seconds) => {
    const { url, received } = await receiver(answer);
    // A test of nothing waits the whole time.
    const timeoutMs = answer === 'nothing' ? (drawsAll ? 2000 : 400) : patienceMs;
    expect(await deliver(url, { attempt, timeoutMs })).toEqual({ done: [['hide', 'r-1', seconds]], again: true });
    expect(received).toHaveLength(1);
  });

  it('is posted again when nobody listens', async () => {
    const { url } = await receiver({ status: 204 });
    stop?.();
    expect(await deliver(url)).toEqual({ done: [['hide', 'r-1', 5]], again: true });
  });

  it('goes to the dead-letter queue immediately after a permanent refusal, or when unreadable', async () => {
    const { url, received } = await receiver({ status: 410 });
    expect(await deliver(url)).toEqual({ done: [['set aside', body]], again: false });
    const unreadable = '{"no":"event"}';
    expect(await deliver(url, { text: unreadable })).toEqual({ done: [['set aside', unreadable]], again: false });
    expect(await deliver(url, { text: 'no JSON' })).toEqual({ done: [['set aside', 'no JSON']], again: false });
    expect(received).toHaveLength(1);
  });

  it('alone comes again when the queue refuses its wait, and the events delivered with it do not', async () => {
    const { url, received } = await receiver({ status: 204 });
    const { dependencies } = world(url);
    const eventQueue = {
      hide: () => Promise.reject(new Error('total visibility timeout')),
      setAside: () => Promise.reject(new Error('no queue')),
    };
    const post: typeof fetch = (target, init) =>
      String(init?.body).includes('refused') ? Promise.resolve(new Response('', { status: 500 })) : fetch(target, init);
    const refused = body.replace('b-1', 'refused');
    const Records = [
      queuedEvent('1'),
      queuedEvent('2', { text: refused }),
      queuedEvent('3', { text: 'no JSON' }),
      queuedEvent('4'),
    ];
    expect(await deliverEvents({ ...dependencies, eventQueue, post }, { Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-2' }, { itemIdentifier: 'm-3' }],
    });
    expect(received).toHaveLength(2);
  });
});
