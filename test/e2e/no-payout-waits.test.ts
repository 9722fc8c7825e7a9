import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { pageOf, send } from '../support/payment-service/merchant.ts';
import {
  csvOf,
  freshAccount,
  freshReference,
  idrRow,
  operator,
  payoutOf,
  readReport,
  start,
  until,
  untilEnded,
  upload,
} from './deployed/deployed-orchestrator.ts';

/** Each status request runs a function, which is a process here. More frequent ones would measure themselves. */
const everyMs = 2000;
const rows = 600;
/** Full calls of 98 rows, and the remainder. */
const chunks = 7;
const rowsOfChunk = 98;

/** A new bank account that the sandbox pays after 60 seconds. */
const slow = (): string => freshAccount('9905');
/** A new account whose transfers the sandbox holds for a check. Bank transfers show that as `pending`. */
const held = (): string => freshAccount('9902');

const evidence = z.object({ interim: z.boolean(), openRows: z.int(), proofs: z.array(z.looseObject({})) });

const completed = ({ counts }: BatchView): number => counts.completed ?? 0;

/** When the provider settled the last bank transfer, milliseconds since 1970. */
const lastSettledAt = async (): Promise<number> => {
  const { docs } = await pageOf('/v1/disbursement/fiat?status=completed&sort=-updatedAt&limit=1');
  return Date.parse(docs[0]?.updatedAt ?? '');
};

describe('with two concurrent calls and a provider that settles after 60 seconds', () => {
  it('600 rows end within 100 seconds', async () => {
    const file = await upload(csvOf(...Array.from({ length: rows }, () => idrRow({ account: slow() }))));
    const began = Date.now();
    const batchId = await start(file);
    await until(batchId, (batch) => completed(batch) === rows, 200_000, everyMs);
    const seconds = (Date.now() - began) / 1000;
    console.error(`600 rows ended after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(100);
    expect(await untilEnded(batchId)).toMatchObject({
      status: 'completed',
      plan: { chunks },
      proofs: { archived: rows, expected: rows },
      executions: [expect.anything()],
    });
  });

  it('one held transfer in each chunk delays no other row, no proof and no report', async () => {
    const references = Array.from({ length: rows }, freshReference);
    const isHeld = (index: number): boolean => index % rowsOfChunk === 5;
    const heldReferences = references.filter((_, index) => isHeld(index));
    const file = csvOf(
      ...references.map((reference, index) => idrRow({ reference, account: isHeld(index) ? held() : slow() })),
    );
    const batchId = await start(await upload(file));
    const others = rows - chunks;
    const reported = await until(
      batchId,
      ({ proofs, reports }) => proofs.archived === others && reports !== undefined,
      280_000,
      everyMs,
    );
    const seconds = (Date.parse(reported.reports?.writtenAt ?? '') - (await lastSettledAt())) / 1000;
    console.error(`the interim reports were written ${seconds.toFixed(1)} s after the last settlement`);
    expect(seconds).toBeLessThan(60);

    expect(reported).toMatchObject({
      status: 'processing',
      counts: { completed: others, pending: chunks },
      proofs: { archived: others, expected: others },
      reports: { interim: true, openRows: chunks },
      attention: [{ code: 'payouts_pending', count: chunks }],
    });
    const results = (await readReport(batchId, 'results.csv')).trim().split('\n').slice(1);
    expect(results).toHaveLength(rows);
    expect(results.filter((line) => line.includes(',pending,'))).toHaveLength(chunks);
    const { proofs, ...rest } = evidence.parse(JSON.parse(await readReport(batchId, 'evidence.json')));
    expect([rest, proofs.length]).toEqual([{ interim: true, openRows: chunks }, others]);

    for (const reference of heldReferences) {
      const { disbursementId } = await payoutOf(reference);
      expect((await send('PATCH', `/v1/disbursement/${disbursementId}`, { status: 'completed' })).status).toBe(200);
    }
    // The provider's decision arrives without anyone resuming the batch.
    const ended = await until(batchId, ({ status }) => status === 'completed', 200_000, everyMs);
    expect(ended).toMatchObject({
      counts: { completed: rows },
      proofs: { archived: rows },
      reports: { interim: false, openRows: 0 },
      attention: [],
      executions: [expect.anything()],
    });
    const listed = await operator().send({ method: 'GET', path: `/batches/${batchId}/payouts?status=pending` });
    expect(listed.body).toMatchObject({ payouts: [] });
  });
});
