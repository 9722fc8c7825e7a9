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

/** Headers of Standard Webhooks, by which a receiver verifies an event and recognizes a repetition. */
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

/** Every attempt for all batches, in order. */
const tries: Try[] = [];
const unsigned: string[] = [];

/** A merchant's receiver that is unavailable when an event comes for the first time. */
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

/** The attempts for a batch's events, once each event was accepted. */
const untilTaken = async (batchId: string, events: number): Promise<readonly Try[]> => {
  const own = () => tries.filter(({ event }) => event.data.batchId === batchId);
  const deadline = Date.now() + 60_000;
  while (own().length < 2 * events && Date.now() < deadline) await wait(200);
  return own();
};

describe('the merchant’s webhook', () => {
  let batchId = '';
  let own: readonly Try[] = [];
  let events: readonly CloudEvent[] = [];

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
    events = page.events;
    own = await untilTaken(batchId, events.length);
  });

  afterAll(() => void server.close());

  it('gets every event of a batch, equal to the API’s', () => {
    const taken = new Map(own.map(({ event }) => [event.id, event]));
    expect([...taken.values()].toSorted((one, other) => sequenceOf(one) - sequenceOf(other))).toEqual(events);
    expect(events.map(({ type }) => type)).toEqual(['batch.accepted', 'batch.validating', 'batch.validation_failed']);
  });

  it('verifies the signature, and recognizes the event by its id', () => {
    expect(unsigned).toEqual([]);
    for (const { headers, body, event, contentType } of own) {
      expect(headers['webhook-id']).toBe(event.id);
      expect(contentType).toBe('application/cloudevents+json');
      const forger = new Webhook(randomBytes(32).toString('base64'));
      expect(() => forger.verify(body, headers)).toThrow();
    }
  });

  it('gets an event that it did not accept once more after the set wait, with the same id and a new signature', () => {
    const byId = Map.groupBy(own, ({ event }) => event.id);
    expect(byId.size).toBe(events.length);
    for (const [refused, taken, ...more] of byId.values()) {
      expect(more).toEqual([]);
      expect(taken?.body).toBe(refused?.body);
      const times = [refused, taken].map((one) => Number(one?.headers['webhook-timestamp']));
      expect(times[1]).toBeGreaterThan(times[0] ?? Number.NaN);
      expect((taken?.atMs ?? 0) - (refused?.atMs ?? Number.NaN)).toBeGreaterThan(1000);
    }
  });
});
