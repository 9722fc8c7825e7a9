import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { eventPage } from '../../../functions/api/schemas/event.ts';
import type { CloudEvent } from '../../../functions/domain/events/cloud-event.ts';
import { cloudEvent, sequenceOf } from '../../../functions/domain/events/cloud-event.ts';
import { csvOf, idrRow, operator, start, untilEnded, upload } from '../deployed/deployed-orchestrator.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

/** Of Standard Webhooks: what a receiver verifies, and finds a repetition by. */
const signedHeaders = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
});
type SignedHeaders = z.infer<typeof signedHeaders>;

interface Try {
  readonly atMs: number;
  readonly contentType: string | undefined;
  readonly headers: SignedHeaders;
  readonly body: string;
  readonly event: CloudEvent;
}

/** Every try there was, of all batches, in order. */
const tries: Try[] = [];
const unsigned: string[] = [];

/** What a merchant's receiver does, but that it is out when an event comes for the first time. */
const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request);
  const headers = signedHeaders.parse(request.headers);
  const id = headers['webhook-id'];
  try {
    const event = cloudEvent().parse(new Webhook(secret).verify(body, headers));
    const isFirst = tries.every((other) => other.headers['webhook-id'] !== id);
    tries.push({ atMs: Date.now(), contentType: request.headers['content-type'], headers, body, event });
    response.writeHead(isFirst ? 503 : 204).end();
  } catch {
    unsigned.push(id);
    response.writeHead(401).end();
  }
};

const server = createServer((request, response) => void receive(request, response));

/** The tries of a batch's events, once each was taken. */
const untilTaken = async (batchId: string, events: number): Promise<readonly Try[]> => {
  const own = () => tries.filter(({ event }) => event.data.batchId === batchId);
  const deadline = Date.now() + 60_000;
  while (own().length < 2 * events && Date.now() < deadline) await wait(200);
  return own();
};

describe('the merchant’s webhook', () => {
  let batchId = '';
  let own: readonly Try[] = [];
  let told: readonly CloudEvent[] = [];

  beforeAll(async () => {
    const { port, secretName } = inject('eventReceiver');
    await new SecretsManagerClient().send(
      new CreateSecretCommand({ Name: secretName, SecretString: JSON.stringify({ secrets: [secret] }) }),
    );
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    batchId = await start(await upload(csvOf(idrRow({ amount: '0' }))));
    expect((await untilEnded(batchId)).status).toBe('validation_failed');
    const page = await operator().ask({ method: 'GET', path: `/batches/${batchId}/events` }, eventPage);
    told = page.events;
    own = await untilTaken(batchId, told.length);
  });

  afterAll(() => void server.close());

  it('gets every event of a batch, as the API tells it', () => {
    const taken = new Map(own.map(({ event }) => [event.id, event]));
    expect([...taken.values()].toSorted((one, other) => sequenceOf(one) - sequenceOf(other))).toEqual(told);
    expect(told.map(({ type }) => type)).toEqual(['batch.accepted', 'batch.validating', 'batch.validation_failed']);
  });

  it('is told by the signature that it comes from us, and by the id that it is the event', () => {
    expect(unsigned).toEqual([]);
    for (const { headers, body, event, contentType } of own) {
      expect(headers['webhook-id']).toBe(event.id);
      expect(contentType).toBe('application/cloudevents+json');
      const forger = new Webhook(randomBytes(32).toString('base64'));
      expect(() => forger.verify(body, headers)).toThrow();
    }
  });

  it('gets an event that it did not take again, under the same id and signed anew, once and no sooner than set', () => {
    const byId = Map.groupBy(own, ({ event }) => event.id);
    expect(byId.size).toBe(told.length);
    for (const [refused, taken, ...more] of byId.values()) {
      expect(more).toEqual([]);
      expect(taken?.body).toBe(refused?.body);
      const times = [refused, taken].map((one) => Number(one?.headers['webhook-timestamp']));
      expect(times[1]).toBeGreaterThan(times[0] ?? Number.NaN);
      expect((taken?.atMs ?? 0) - (refused?.atMs ?? Number.NaN)).toBeGreaterThan(1000);
    }
  });
});
