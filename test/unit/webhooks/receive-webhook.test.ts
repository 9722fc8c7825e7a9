import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import { problems } from '../../../functions/domain/problems.ts';
import type { WebhookEvent } from '../../../functions/webhooks/receive-webhook.ts';
import { receive } from '../../../functions/webhooks/receive-webhook.ts';

const token = 'a-token-that-nobody-guesses';
const secretOf = (name: string) => `whsec_${Buffer.from(name.padEnd(24, '.')).toString('base64')}`;

const world = (secrets: readonly string[] = []) => {
  const stored = new Map<string, { readonly body: string; readonly receivedAt: string; readonly signedId?: string }>();
  return {
    stored,
    dependencies: {
      webhookSettings: async () => ({ token, secrets }),
      clock: () => Date.parse('2026-01-05T09:00:00.000Z'),
      ledger: {
        storeWebhook: async ({ hash, ...webhook }: { hash: string; body: string; receivedAt: string }) => {
          const isNew = !stored.has(hash);
          if (isNew) stored.set(hash, webhook);
          return isNew;
        },
      },
    },
  };
};

const body = '{"disbursementId":"d-1"}';
const event = (differences: Partial<WebhookEvent> = {}): WebhookEvent => ({
  pathParameters: { token },
  headers: {},
  body,
  isBase64Encoded: false,
  ...differences,
});

describe('a webhook', () => {
  it('is stored once by the hash of its body, with the same answer each time', async () => {
    const { dependencies, stored } = world();
    const first = await receive(dependencies, event());
    const again = await receive(dependencies, event());
    const another = await receive(dependencies, event({ body: '{"id":"nobody"}' }));
    expect(first.statusCode).toBe(202);
    expect([again, another]).toEqual([first, first]);
    expect([...stored.values()]).toEqual([
      { body, receivedAt: '2026-01-05T09:00:00.000Z' },
      { body: '{"id":"nobody"}', receivedAt: '2026-01-05T09:00:00.000Z' },
    ]);
    expect([...stored.keys()][0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('in base64 is the same webhook', async () => {
    const { dependencies, stored } = world();
    await receive(dependencies, event());
    await receive(dependencies, event({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true }));
    expect(stored.size).toBe(1);
  });

  it('of 64 KiB is accepted', async () => {
    const { dependencies } = world();
    expect(await receive(dependencies, event({ body: 'x'.repeat(65_536) }))).toMatchObject({ statusCode: 202 });
  });
});

describe('a webhook is refused and not stored', () => {
  it.each([
    ['with a wrong token', { pathParameters: { token: 'a-token-that-somebody-guesses' } }, 'not_found'],
    ['with the start of the token', { pathParameters: { token: token.slice(0, -1) } }, 'not_found'],
    ['with a wrong token and too large', { pathParameters: { token: '' }, body: 'x'.repeat(65_537) }, 'not_found'],
    ['when too large', { body: 'x'.repeat(65_537) }, 'webhook_too_large'],
    ['when too large in bytes, not in letters', { body: 'é'.repeat(32_769) }, 'webhook_too_large'],
    ['without a body', { body: null }, 'invalid_request'],
    ['with a body that is no text', { body: '/w==', isBase64Encoded: true }, 'invalid_request'],
  ] as const)('%s', async (_name, differences, code) => {
    const { dependencies, stored } = world();
    const response = await receive(dependencies, event(differences));
    expect(problemSchema.parse(JSON.parse(response.body))).toEqual({
      type: `urn:payout-orchestrator:problem:${code}`,
      ...problems[code],
    });
    expect(response.statusCode).toBe(problems[code].status);
    expect(stored.size).toBe(0);
  });
});

describe('with configured secrets', () => {
  const secrets = [secretOf('old'), secretOf('new')];
  const signed = (secret: string, at = new Date(), text = body) => ({
    'Webhook-Id': 'msg-1',
    'Webhook-Timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'Webhook-Signature': new Webhook(secret).sign('msg-1', at, text),
  });

  it.each(secrets)('a webhook signed by either is taken', async (secret) => {
    const { dependencies, stored } = world(secrets);
    expect(await receive(dependencies, event({ headers: signed(secret) }))).toMatchObject({ statusCode: 202 });
    expect([...stored.values()]).toMatchObject([{ body, signedId: 'msg-1' }]);
  });

  it('a signed webhook with a byte order mark is verified and stored with it', async () => {
    const { dependencies, stored } = world(secrets);
    const marked = '\ufeff{"id":"d-1"}';
    const headers = signed(secretOf('new'), new Date(), marked);
    expect(await receive(dependencies, event({ headers, body: marked }))).toMatchObject({ statusCode: 202 });
    expect([...stored.values()]).toMatchObject([{ body: marked }]);
  });

  it.each([
    ['not signed', {}],
    ['signed by another secret', signed(secretOf('another'))],
    ['of another body', signed(secretOf('old'), new Date(), '{}')],
    ['of an hour ago', signed(secretOf('old'), new Date(Date.now() - 3_600_000))],
  ])('a webhook %s is refused', async (_name, headers) => {
    const { dependencies, stored } = world(secrets);
    expect(await receive(dependencies, event({ headers }))).toMatchObject({ statusCode: 401 });
    expect(stored.size).toBe(0);
  });
});
