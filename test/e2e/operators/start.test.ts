import { describe, expect, it } from 'vitest';
import { batchSummary } from '../../../functions/api/schemas/batch.ts';
import {
  act,
  askToStart,
  csvOf,
  freshReference,
  idrRow,
  operator,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

// These tests mostly wait, so they run concurrently. Each pays rows of its own, and none sets a fault.
describe.concurrent('starting a batch', () => {
  it('is one batch when the same start comes twice concurrently, ten times over', async ({ expect }) => {
    const startTwice = async (): Promise<string> => {
      const file = await upload(csvOf(idrRow()));
      const key = freshReference();
      const answers = await Promise.all([askToStart(file, {}, key), askToStart(file, {}, key)]);
      expect(answers.map(({ status }) => status < 300)).toEqual([true, true]);
      const [batchId = '', other] = answers.map(({ body }) => batchSummary.parse(body).batchId);
      expect(other).toBe(batchId);
      const batch = await untilEnded(batchId);
      expect(batch).toMatchObject({ status: 'completed', counts: { completed: 1 } });
      expect(batch.executions).toHaveLength(1);
      return batchId;
    };
    const batchIds = new Set<string>();
    // Two at a time, since each further one starts more instances of functions.
    for (let pair = 0; pair < 5; pair += 1) {
      for (const batchId of await Promise.all([startTwice(), startTwice()])) batchIds.add(batchId);
    }
    expect(batchIds.size).toBe(10);
  });

  it('is refused for the same file version, naming the first batch, even concurrently', async ({ expect }) => {
    const file = await upload(csvOf(idrRow()));
    const answers = await Promise.all([askToStart(file), askToStart(file)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const first = batchSummary.parse(answers.find(({ status }) => status === 202)?.body).batchId;
    const refused = answers.find(({ status }) => status === 409);
    expect(JSON.stringify(refused?.body)).toContain(first);
    await untilEnded(first);
    const later = await askToStart(file);
    expect(later.status).toBe(409);
    expect(JSON.stringify(later.body)).toContain(first);
  });

  it('pays nothing twice when the same file is allowed again: its references are taken', async ({ expect }) => {
    const file = await upload(csvOf(idrRow(), idrRow()));
    await untilEnded(await start(file));
    const again = await untilEnded(await start(file, { allowSameFile: true }));
    expect(again.status).toBe('validation_failed');
    expect(again.plan?.errors.map(({ code }) => code)).toEqual(['duplicate_reference', 'duplicate_reference']);
  });

  it('pays the same content once, and refuses it under another name, naming the first batch', async ({ expect }) => {
    // Without references only the content identifies the file. The note makes it new in each run.
    const content = csvOf(`${idrRow({ reference: '' })}${freshReference()}`);
    const first = await untilEnded(await start(await upload(content)));
    expect(first.status).toBe('completed');
    for (const mode of ['preview', 'disburse'] as const) {
      const again = await untilEnded(await start(await upload(content), { mode }));
      expect(again).toMatchObject({ status: 'validation_failed', reason: { code: 'same_content' }, counts: {} });
      expect(again.reason?.message).toContain(first.batchId);
    }
    const allowed = await start(await upload(content), { allowSameFile: true });
    const asked = await until(allowed, ({ status }) => status === 'pending_approval');
    expect(asked.approval?.findings).toMatchObject([{ code: 'repeated_debts', rows: 1 }]);
    await act(allowed, 'cancel');
    expect(await untilEnded(allowed)).toMatchObject({ status: 'canceled', counts: {} });
  });

  it('pays nothing of a file that differs from the expectation', async ({ expect }) => {
    const file = await upload(csvOf(idrRow({ amount: '150000' }), idrRow({ amount: '20000.5' })));
    const wrong = await untilEnded(await start(file, { expect: { rows: 2, sums: { IDR: '170000' } } }));
    expect(wrong).toMatchObject({ status: 'validation_failed', reason: { code: 'control_totals_differ' } });
    expect(wrong.reason?.message).toContain('IDR: expected 170000, found 170000.5.');
    const right = await untilEnded(await start(file, { expect: { rows: 2, sums: { IDR: '170000.50' } } }));
    expect(right).toMatchObject({ status: 'completed', expect: { sums: { IDR: '170000.50' } } });
  });

  it('pins the file’s current version', async ({ expect }) => {
    const batchId = await start(await upload(csvOf(idrRow())));
    expect((await statusOf(batchId)).file.versionId).toMatch(/.+/);
    await untilEnded(batchId);
  });
});

// Not beside the others, because no other batch may start before the list is read.
describe('the operator API', () => {
  const refusals: [string, () => Promise<{ status: number }>, number][] = [
    ['a file that is not there', () => askToStart('uploads/none.csv'), 404],
    ['a file outside uploads/', () => askToStart('batches/x.csv'), 400],
    [
      'an unknown field',
      () =>
        operator().send({
          method: 'POST',
          path: '/batches',
          headers: { 'idempotency-key': 'k' },
          body: { file: 'uploads/a.csv', dryRun: true },
        }),
      400,
    ],
    [
      'no idempotency key',
      () => operator().send({ method: 'POST', path: '/batches', body: { file: 'uploads/a.csv' } }),
      400,
    ],
    ['a batch that is not there', () => operator().send({ method: 'GET', path: '/batches/b-none' }), 404],
  ];
  it.each(refusals)('answers %s with a problem', async (_name, ask, status) => {
    expect(await ask()).toMatchObject({
      status,
      body: { type: expect.stringMatching(/^urn:payout-orchestrator:problem:/) },
    });
  });

  it('lists batches, newest first', async () => {
    const batchId = await start(await upload(csvOf(idrRow())));
    const { body } = await operator().send({ method: 'GET', path: '/batches?limit=1' });
    expect(body).toMatchObject({ batches: [{ batchId }] });
    await untilEnded(batchId);
  });
});
