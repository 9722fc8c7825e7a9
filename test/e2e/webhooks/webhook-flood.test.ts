import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import { problems, problemType, retryAfterSeconds } from '../../../functions/domain/problems.ts';
import {
  csvOf,
  freshReference,
  idrRow,
  operator,
  payoutOf,
  start,
  statusAsOfNow,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';
import {
  areLookUpsRecorded,
  hintQueues,
  lookUpsOf,
  messagesIn,
  throttleWebhooks,
  untilMessages,
  webhookAddress,
} from '../deployed/deployed-webhooks.ts';

const requests = 2000;
const atOnce = 20;
/** Below the default, so that two cores reach the limit and spend little on admitted requests. */
const perSecond = 10;
const usualPerSecond = 50;
const usualAnswers = [202, 400, 404, 429];

/**
 * Starts as many instances of the function as requests arrive at once. That many cold ones on two cores can take longer than each
 * waits for its secret, and answer 500, as they would on AWS during an outage. The sender of a webhook tries again.
 */
const startInstances = async (url: string): Promise<void> => {
  const start = async (): Promise<void> => {
    const codes: number[] = [];
    while (!codes.includes(404)) {
      if (codes.length === 10) throw new Error(`a webhook at a wrong address is answered with ${codes.join(' ')}`);
      codes.push((await fetch(`${url}x`, { method: 'POST', body: '{}' })).status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, start));
};

/**
 * Sends all 2,000 through the gateway, as an attacker who knows the address would. Its throttle refuses most of them. For 2,000
 * admitted ones, including signatures, see test/ledger/payouts/webhook-flood.test.ts.
 */
describe('a flood of forged webhooks', () => {
  const references = [freshReference(), freshReference()];
  let batch: BatchView;
  let known: readonly PayoutView[];

  beforeAll(async () => {
    const file = csvOf(...references.map((reference) => idrRow({ reference })));
    batch = await untilEnded(await start(await upload(file)));
    known = await Promise.all(references.map(payoutOf));
    await startInstances(await webhookAddress());
    await throttleWebhooks(perSecond);
  });
  afterAll(() => throttleWebhooks(usualPerSecond));

  it('changes nothing, causes few lookups, and does not slow operators', async () => {
    const url = await webhookAddress();
    const { hints, deadLetters } = await hintQueues();
    const ids = known.map(({ disbursementId }) => disbursementId ?? '');
    const idOf = (n: number) => ids[n % ids.length] ?? '';
    const forged: readonly ((n: number) => readonly [string, string])[] = [
      () => [url, JSON.stringify({ event: 'disbursement.updated', data: { disbursementId: randomUUID() } })],
      (n) => [url, JSON.stringify({ data: { disbursementId: idOf(n), status: 'failed', n } })],
      (n) => [url, JSON.stringify({ disbursementId: idOf(n), status: 'failed' })],
      (n) => [url, JSON.stringify({ reference: references[n % references.length], status: 'canceled', n })],
      (n) => [url, `{"disbursementId": "${idOf(n)}", `],
      () => [url, ''],
      (n) => [`${url}x`, JSON.stringify({ disbursementId: idOf(n) })],
    ];
    const deadLettersBefore = await messagesIn(deadLetters);
    const before = { lookUps: lookUpsOf(ids), at: Date.now() };
    const codes = new Map<number, number>();
    const unusual = new Set<string>();
    const refusals = new Set<string>();
    const requestIds = new Set<string | undefined>();
    const operatorCodes = new Set<number>();
    let sent = 0;
    const sender = async () => {
      while (sent < requests) {
        const n = sent++;
        const [to, body] = forged[n % forged.length]?.(Math.floor(n / forged.length)) ?? [url, ''];
        const answer = await fetch(to, { method: 'POST', body });
        const text = await answer.text();
        codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1);
        if (!usualAnswers.includes(answer.status)) unusual.add(`${answer.status} ${text}`);
        if (answer.status === 429) {
          const { requestId, ...problem } = problemSchema.parse(JSON.parse(text));
          requestIds.add(requestId);
          refusals.add(JSON.stringify({ ...problem, retryAfter: answer.headers.get('retry-after') }));
        }
        if (n % 200 === 0) {
          operatorCodes.add((await operator().send({ method: 'GET', path: `/batches/${batch.batchId}` })).status);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    const seconds = (Date.now() - before.at) / 1000;
    // Webhooks within a lookup's window wait until it is over. The one lookup that begins then covers all of them.
    const atEnd = ids.map((id) => lookUpsOf([id]));
    const areCovered = () => ids.every((id, index) => lookUpsOf([id]) > (atEnd[index] ?? 0));
    await untilMessages(hints, (count) => count === 0 || areCovered());
    const lookUps = lookUpsOf(ids) - before.lookUps;
    const windows = Math.ceil((Date.now() - before.at) / 30_000);
    console.error(
      `webhooks forged: ${requests} in ${seconds.toFixed(1)} s, answers ${JSON.stringify(Object.fromEntries(codes))}, ` +
        `lookups ${areLookUpsRecorded() ? lookUps : 'not recorded'} of ${ids.length} payouts`,
    );
    expect([...codes.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
    expect([...unusual]).toEqual([]);
    expect([...codes.keys()].toSorted()).toEqual(usualAnswers);
    expect([...refusals].map((text) => JSON.parse(text))).toEqual([
      {
        type: problemType('too_many_requests'),
        ...problems.too_many_requests,
        retryAfter: `${retryAfterSeconds.too_many_requests}`,
      },
    ]);
    expect(requestIds.size).toBe(codes.get(429));
    expect([...operatorCodes]).toEqual([200]);
    if (areLookUpsRecorded()) expect(lookUps).toBeGreaterThan(0);
    // Plus one that finds each id's payout.
    expect(lookUps).toBeLessThanOrEqual(ids.length * (windows + 1));
    expect(await messagesIn(deadLetters)).toBe(deadLettersBefore);
    expect(await Promise.all(references.map(payoutOf))).toEqual(known);
    const after = await statusAsOfNow(batch.batchId);
    expect(after).toEqual({ ...batch, countsAsOf: after.countsAsOf });
  }, 300_000);
});
