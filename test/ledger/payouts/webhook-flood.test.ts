import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, it } from 'vitest';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Hint } from '../../../functions/ports/hint-queue.ts';
import type { ArrivedWebhook } from '../../../functions/ports/ledger/webhook-ledger.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import { applyWebhooks } from '../../../functions/webhooks/apply-webhook.ts';
import { queueHints } from '../../../functions/webhooks/queue-hints.ts';
import type { WebhookEvent } from '../../../functions/webhooks/receive-webhook.ts';
import { receive } from '../../../functions/webhooks/receive-webhook.ts';
import { idr } from '../../support/money.ts';
import { registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { claimOf, processingChunk, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, time } = useLedger();
const settings = orchestratorSettings().parse({});
const { lookupWindowSeconds, retryWaitsSeconds: waitsSeconds } = settings.webhooks;
const clock = () => time.now;

const requests = 2000;
/** The gateway's default throttle. */
const perSecond = 50;

const token = 'the-token-of-the-address';
const secretOf = (name: string) => `whsec_${Buffer.from(name.padEnd(24, '.')).toString('base64')}`;
const secrets = [secretOf('new'), secretOf('old')];
const signed = (secret: string, body: string, at = new Date(), id: string = randomUUID()): WebhookEvent => ({
  pathParameters: { token },
  headers: {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  },
  body,
});
const unsigned = (body: string | null): WebhookEvent => ({ pathParameters: { token }, headers: {}, body });

/** Two payouts, one ended and one in progress. The provider agrees with the ledger about both. */
let payouts: readonly Payout[];
const ids = ['disbursement-ended', 'disbursement-under-way'];
const idOf = (n: number): string => ids[n % ids.length] ?? '';

beforeAll(async () => {
  const { batchId } = await processingChunk(ledger, 2);
  await ledger.claimCall(claimOf(batchId, [1, 2]));
  for (const [index, disbursementId] of ids.entries()) {
    const transition = index === 0 ? payoutTransitions.observeCompleted : payoutTransitions.observePending;
    await ledger.movePayout({ batchId, chunk: 1, row: index + 1 }, transition, { disbursementId, fee: idr('1') });
  }
  await ledger.refreshChunk(batchId, 1);
  ({ payouts } = await registeredChunk(ledger, batchId, 1));
});

const storedState = async () => {
  const batchId = payouts[0]?.batchId ?? '';
  return { batch: await ledger.getBatch(batchId), chunk: await registeredChunk(ledger, batchId, 1) };
};

const forgedContent = (n: number): string =>
  [
    JSON.stringify({ event: 'disbursement.updated', data: { disbursementId: idOf(n), status: 'failed', n } }),
    JSON.stringify({ disbursementId: idOf(n), status: 'failed' }),
    JSON.stringify({ reference: payouts[n % 2]?.reference, status: 'canceled', amount: '0', n }),
  ][n % 3] ?? '';

const malformed = (n: number): WebhookEvent =>
  [
    unsigned(`{"disbursementId": "${idOf(n)}", `),
    unsigned(null),
    { ...unsigned(Buffer.from([0xff, 0xfe, n % 256]).toString('base64')), isBase64Encoded: true },
    unsigned(JSON.stringify({ disbursementId: idOf(n), filler: 'x'.repeat(65_536) })),
  ][n % 4] ?? unsigned('');

/** The only genuine message of the flood: recorded on its way, and replayed many times. */
const genuine = signed(secretOf('old'), JSON.stringify({ disbursementId: idOf(1), status: 'pending' }));
const anHourAgo = () => new Date(Date.now() - 3_600_000);

/** The messages, the signing secrets of the address, and the statuses of the answers. */
const kinds: readonly (readonly [string, readonly string[], (n: number) => WebhookEvent, readonly number[]])[] = [
  ['unknown ids', [], () => unsigned(JSON.stringify({ data: { disbursementId: randomUUID() } })), [202]],
  ['known ids, forged content', [], (n) => unsigned(forgedContent(n)), [202]],
  ['malformed', [], (n) => malformed(n), [202, 400, 413]],
  ['wrong token', [], (n) => ({ ...unsigned(forgedContent(n)), pathParameters: { token: `${token}${n}` } }), [404]],
  ['unsigned', secrets, (n) => unsigned(forgedContent(n)), [401]],
  ['signed with an unknown secret', secrets, (n) => signed(secretOf('forger'), forgedContent(n)), [401]],
  ['another body under a signature', secrets, (n) => ({ ...genuine, body: forgedContent(n) }), [401]],
  ['signed an hour ago', secrets, (n) => signed(secretOf('new'), forgedContent(n), anHourAgo()), [401]],
  ['a replayed genuine one', secrets, () => genuine, [202]],
];

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, alarm: (code: string) => expect.unreachable(`alarm ${code}`) };

/**
 * Connects the table with the provider: the table's stream, `queue-hints`, and a queue that passes due hints to
 * `applyWebhooks`, five concurrently as on AWS.
 */
const arrivals: ArrivedWebhook[] = [];
let genuineKept = 0;
let queue: { readonly body: string; readonly attempt: number; readonly from: number }[] = [];
const deadLetters: string[] = [];
const asked: string[] = [];
const askedWithoutHaste: string[] = [];

const provider = {
  traits: documentedTraits(),
  lookUp: async (_rail: string, id: string, urgency?: { readonly isSpare?: true }) => {
    (urgency?.isSpare ? askedWithoutHaste : asked).push(id);
    const payout = payouts.find(({ disbursementId }) => disbursementId === id);
    if (payout === undefined) return { kind: 'absent' } as const;
    const { reference, rail, amount, status } = payout;
    if (status !== 'completed' && status !== 'pending') throw new Error(`the fake does not support ${status}`);
    const disbursement = { disbursementId: id, reference, rail, amount, fee: idr('1'), status };
    return { kind: 'found', disbursement: { ...disbursement, providerStatus: status } } as const;
  },
  listByReference: () => Promise.reject(new Error('no answer is scripted for listByReference')),
};

const storing = {
  storeWebhook: async (webhook: ArrivedWebhook) => {
    const stored = await ledger.storeWebhook(webhook);
    if (stored) arrivals.push(webhook);
    if (stored && webhook.signedId !== undefined) genuineKept += 1;
    return stored;
  },
};

const queueArrivals = async (): Promise<void> => {
  const Records = arrivals.splice(0).map(({ hash, body, receivedAt }) => ({
    dynamodb: { NewImage: { hash: { S: hash }, body: { S: body }, receivedAt: { S: receivedAt } } },
  }));
  const send = async (hints: readonly Hint[]) => {
    queue.push(...hints.map((hint) => ({ body: JSON.stringify(hint), attempt: 1, from: time.now })));
  };
  await queueHints({ hintQueue: { send }, webhookNames, log }, { Records });
};

const handOver = async ({ body, attempt }: (typeof queue)[number]): Promise<void> => {
  let hiddenSeconds = 0;
  const hintQueue = {
    hide: async (_handle: string, seconds: number) => {
      hiddenSeconds = seconds;
    },
    setAside: async (text: string) => void deadLetters.push(text),
  };
  const record = { messageId: 'm', receiptHandle: 'r', body, attributes: { ApproximateReceiveCount: attempt } };
  const environment = { clock, log, settings, hintQueue, lookupWindowSeconds, waitsSeconds };
  const { batchItemFailures } = await applyWebhooks({ ...environment, ledger, provider }, { Records: [record] });
  if (batchItemFailures.length > 0)
    queue.push({ body, attempt: attempt + 1, from: time.now + Math.max(1, hiddenSeconds) * 1000 });
};

const applyDue = async (): Promise<void> => {
  const due = queue.filter(({ from }) => from <= time.now);
  queue = queue.filter(({ from }) => from > time.now);
  for (let first = 0; first < due.length; first += 5) await Promise.all(due.slice(first, first + 5).map(handOver));
};

it('2,000 forged webhooks that pass the throttle change nothing, and cause few lookups', async () => {
  const before = await storedState();
  const codes = new Map(kinds.map(([kind]): [string, Record<number, number>] => [kind, {}]));
  const forge = async (n: number): Promise<void> => {
    const [kind, configured, make] = kinds[n % kinds.length] ?? expect.unreachable('no kind');
    const webhookSettings = async () => ({ token, secrets: configured });
    const { statusCode } = await receive(
      { ledger: storing, webhookSettings, clock },
      make(Math.floor(n / kinds.length)),
    );
    const counted = codes.get(kind) ?? {};
    counted[statusCode] = (counted[statusCode] ?? 0) + 1;
  };
  for (let first = 0; first < requests; first += perSecond) {
    await times(perSecond, (index) => forge(first + index));
    await queueArrivals();
    await applyDue();
    time.now += 1000;
  }
  for (; queue.length > 0; time.now += 1000) await applyDue();

  const unknown = askedWithoutHaste.filter((id) => !ids.includes(id));
  console.error(
    `webhooks forged: ${requests} at ${perSecond} a second by the clock; lookups ${asked.length}, ` +
      `at low priority ${askedWithoutHaste.length}, ${unknown.length} of them unknown`,
  );
  for (const [kind, counted] of codes) console.error(`  ${kind}: ${JSON.stringify(counted)}`);
  for (const [kind, , , expected] of kinds) expect(Object.keys(codes.get(kind) ?? {}).map(Number)).toEqual(expected);
  const answers = [...codes.values()].flatMap((counted) => Object.values(counted));
  expect(answers.reduce((sum, count) => sum + count, 0)).toBe(requests);
  // Forty seconds of flood touch two windows, and hints within the second one wait for a third.
  expect([...new Set(asked)].toSorted()).toEqual([...ids].toSorted());
  expect(asked.length).toBeLessThanOrEqual(ids.length * 3);
  // Once, permanently, for a known id, and once on each rail for an unknown one.
  expect(askedWithoutHaste.length - unknown.length).toBe(ids.length);
  expect(unknown.length).toBe(new Set(unknown).size * 2);
  expect(genuineKept).toBe(1);
  expect(deadLetters).toEqual([]);
  expect(await storedState()).toEqual(before);
});
