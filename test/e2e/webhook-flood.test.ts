import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../functions/api/schemas/payout.ts';
import { payoutView } from '../../functions/api/schemas/payout.ts';
import { recordedAnswers } from '../support/payment-service/recorded-answers.ts';
import {
  csvOf,
  freshReference,
  idrRow,
  operator,
  start,
  statusOf,
  untilEnded,
  upload,
} from './deployed-orchestrator.ts';

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;
const requests = 2000;
const atOnce = 20;

const webhookAddress = async (): Promise<string> => {
  const secret = await new SecretsManagerClient().send(
    new GetSecretValueCommand({ SecretId: outputs().WebhookSecretName }),
  );
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(secret.SecretString ?? '{}'));
  return `${outputs().ApiUrl}/webhooks/${token}`;
};

const payoutOf = (reference: string): Promise<PayoutView> =>
  operator().ask({ method: 'GET', path: `/payouts/${reference}` }, payoutView);

/** Requests that functions made about these ids; empty where the local AWS was up already and records nothing. */
const lookUpsOf = (ids: readonly string[]): number =>
  recordedAnswers(inject('recordedAnswers')).filter(({ path }) => ids.some((id) => path.includes(id))).length;

describe('a flood of forged webhooks', () => {
  const references = [freshReference(), freshReference(), freshReference()];
  let batch: BatchView;
  let known: readonly PayoutView[];

  beforeAll(async () => {
    const file = csvOf(...references.map((reference) => idrRow({ reference })));
    batch = await untilEnded(await start(await upload(file)));
    known = await Promise.all(references.map(payoutOf));
  });

  it('changes nothing, costs the provider a handful of look-ups, and takes nothing from operators', async () => {
    const url = await webhookAddress();
    const idOf = (n: number) => known[n % known.length]?.disbursementId ?? '';
    const ids = known.map(({ disbursementId }) => disbursementId ?? '');
    const forged: readonly ((n: number) => readonly [string, string])[] = [
      () => [url, JSON.stringify({ event: 'disbursement.updated', data: { disbursementId: randomUUID() } })],
      (n) => [url, JSON.stringify({ data: { disbursementId: idOf(n), status: 'failed', n } })],
      (n) => [url, JSON.stringify({ disbursementId: idOf(n), status: 'failed' })],
      (n) => [url, `{"disbursementId": "${idOf(n)}", `],
      (n) => [`${url}x`, JSON.stringify({ disbursementId: idOf(n) })],
    ];
    const before = lookUpsOf(ids);
    const codes = new Map<number, number>();
    const operatorCodes = new Set<number>();
    let sent = 0;
    const began = Date.now();
    const sender = async () => {
      while (sent < requests) {
        const n = sent++;
        const [to, body] = forged[n % forged.length]?.(n) ?? [url, ''];
        const answer = await fetch(to, { method: 'POST', body });
        codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1);
        if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('1');
        if (n % 200 === 0) {
          operatorCodes.add((await operator().send({ method: 'GET', path: `/batches/${batch.batchId}` })).status);
        }
        await answer.text();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    const seconds = (Date.now() - began) / 1000;
    // One look-up at once, and one after the window for what came within it.
    await wait(35_000);
    const lookUps = lookUpsOf(ids) - before;
    const windows = Math.ceil(seconds / 30) + 1;
    console.error(
      `forged webhooks: ${requests} in ${seconds.toFixed(1)} s, answers ${JSON.stringify(Object.fromEntries(codes))}, ` +
        `look-ups by the provider ${lookUps} of ${ids.length} payouts`,
    );
    expect([...codes.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
    expect([...codes.keys()].filter((code) => ![202, 404, 429].includes(code))).toEqual([]);
    expect(codes.get(202)).toBeGreaterThan(0);
    expect([...operatorCodes]).toEqual([200]);
    if (inject('recordedAnswers') !== '') expect(lookUps).toBeGreaterThan(0);
    expect(lookUps).toBeLessThanOrEqual(ids.length * (windows + 1));
    expect(await Promise.all(references.map(payoutOf))).toEqual(known);
    expect((await statusOf(batch.batchId)).counts).toEqual(batch.counts);
  }, 300_000);
});
