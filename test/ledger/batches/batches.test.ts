import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import type { PlanSummary } from '../../../functions/domain/batch/plan.ts';
import { InvalidCursor, InvariantBroken } from '../../../functions/domain/errors.ts';
import { given } from '../../../functions/domain/given.ts';
import type { Corrected, NewBatch } from '../../../functions/ports/ledger/batch-ledger.ts';
import { idr } from '../../support/money.ts';
import { examplePlan } from '../../support/scenes/example-batch.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { batchIn, timelineOf, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, time } = useLedger();
const { startValidating, refuseFile, startProcessing, pause, complete, cancel, preview } = batchTransitions;

const existing = async (batchId: string): Promise<Batch> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new Error(`no batch ${batchId}`);
  return batch;
};

describe('creating a batch', () => {
  it('starts as accepted, with its first execution counted and the first line of its timeline', async () => {
    const request = newBatch();
    const created = await ledger.createBatch(request);
    expect(created).toEqual({
      kind: 'created',
      batch: {
        batchId: request.batchId,
        status: 'accepted',
        mode: 'disburse',
        invalidRows: 'reject',
        allowSameFile: false,
        file: request.file,
        createdAt: '2026-03-14T09:26:53.589Z',
        createdBy: request.createdBy,
        statusSince: '2026-03-14T09:26:53.589Z',
        executions: 1,
      },
    });
    expect(await ledger.getBatch(request.batchId)).toEqual(created.kind === 'created' ? created.batch : undefined);
    expect(await timelineOf(ledger, request.batchId)).toEqual([
      { at: '2026-03-14T09:26:53.589Z', code: 'batch.accepted', by: request.createdBy },
    ]);
  });

  it.each([{ approvalRequired: true }, { expect: { rows: 3, sums: new Map([['IDR', idr('60.5')]]) } }] as const)(
    'keeps the request’s options: %o',
    async (asked) => {
      const request = newBatch(asked);
      await ledger.createBatch(request);
      expect(await ledger.getBatch(request.batchId)).toMatchObject(asked);
    },
  );

  it('answers a repeated key and request with the first batch', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const again = await ledger.createBatch({ ...request, batchId: randomUUID() });
    expect(again).toMatchObject({ kind: 'repeated', batch: { batchId: request.batchId } });
  });

  it('rejects a key of another request, and names its batch', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const other = newBatch({ idempotencyKey: request.idempotencyKey, requestHash: 'another request' });
    expect(await ledger.createBatch(other)).toEqual({ kind: 'key_reused', batchId: request.batchId });
    expect(await ledger.getBatch(other.batchId)).toBeUndefined();
  });

  it('finds the batch of a start by its key, without its file', async () => {
    const { createdBy, idempotencyKey, requestHash, batchId, ...rest } = newBatch();
    expect(await ledger.findStart({ createdBy, idempotencyKey, requestHash })).toBeUndefined();
    await ledger.createBatch({ createdBy, idempotencyKey, requestHash, batchId, ...rest });
    expect(await ledger.findStart({ createdBy, idempotencyKey, requestHash })).toMatchObject({
      kind: 'repeated',
      batch: { batchId },
    });
    expect(await ledger.findStart({ createdBy, idempotencyKey, requestHash: 'another request' })).toEqual({
      kind: 'key_reused',
      batchId,
    });
  });

  it('keeps two callers’ keys apart', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const other = newBatch({
      idempotencyKey: request.idempotencyKey,
      createdBy: 'arn:aws:iam::123456789012:user/bonus',
    });
    expect(await ledger.createBatch(other)).toMatchObject({ kind: 'created' });
  });

  it('is one batch for ten equal concurrent requests', async () => {
    const request = newBatch();
    const answers = await times(10, () => ledger.createBatch({ ...request, batchId: randomUUID() }));
    const batchIds = new Set(answers.map((answer) => ('batch' in answer ? answer.batch.batchId : answer.kind)));
    expect(batchIds.size).toBe(1);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['created', ...Array<string>(9).fill('repeated')]);
  });

  it('never takes the id of another batch', async () => {
    const { batchId } = newBatch();
    await ledger.createBatch(newBatch({ batchId }));
    await expect(ledger.createBatch(newBatch({ batchId }))).rejects.toThrow(InvariantBroken);
  });

  it('recognizes its own batch when only the answer was lost', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    expect(await ledger.createBatch(request)).toMatchObject({ kind: 'created', batch: { batchId: request.batchId } });
  });
});

describe('the mark of a file version', () => {
  it('refuses the same file again and names the other batch', async () => {
    const first = newBatch({ batchId: `1-${randomUUID()}` });
    await ledger.createBatch(first);
    const again = newBatch({ file: first.file });
    expect(await ledger.createBatch(again)).toEqual({ kind: 'same_file', batchIds: [first.batchId] });
    expect(await ledger.getBatch(again.batchId)).toBeUndefined();
  });

  it('admits one of ten concurrent batches of a file', async () => {
    const { file } = newBatch();
    const answers = await times(10, () => ledger.createBatch(newBatch({ file })));
    expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'same_file')).toHaveLength(9);
  });

  it.each([
    { name: 'another version of the file', change: { file: { key: 'uploads/same.csv', versionId: 'v2', bytes: 1 } } },
    { name: 'allowSameFile', change: { allowSameFile: true } },
    { name: 'a preview', change: { mode: 'preview' as const } },
  ])('does not block $name', async ({ change }) => {
    const file = { key: 'uploads/same.csv', versionId: randomUUID(), bytes: 1 };
    await ledger.createBatch(newBatch({ file }));
    expect(await ledger.createBatch(newBatch({ file, ...change }))).toMatchObject({ kind: 'created' });
  });

  it('lists the batches that pay the version, oldest first, and none once they are refused', async () => {
    const { file } = newBatch();
    expect(await ledger.findByFile(file)).toEqual([]);
    const [first, second] = [`1-${randomUUID()}`, `2-${randomUUID()}`];
    await ledger.createBatch(newBatch({ batchId: first, file }));
    await ledger.createBatch(newBatch({ batchId: second, file, allowSameFile: true }));
    expect(await ledger.findByFile(file)).toEqual([first, second]);
    for (const batchId of [first, second]) {
      await ledger.moveBatch(batchId, startValidating, 'system');
      await ledger.moveBatch(batchId, refuseFile, 'system');
    }
    expect(await ledger.findByFile(file)).toEqual([]);
  });

  it('is not set by a preview', async () => {
    const { file } = newBatch();
    await ledger.createBatch(newBatch({ file, mode: 'preview' }));
    expect(await ledger.createBatch(newBatch({ file }))).toMatchObject({ kind: 'created' });
  });

  it('is removed when validation fails, but not while another batch pays from the file', async () => {
    const { file } = newBatch();
    const first = newBatch({ batchId: `1-${randomUUID()}`, file });
    const second = newBatch({ batchId: `2-${randomUUID()}`, file, allowSameFile: true });
    for (const request of [first, second]) {
      await ledger.createBatch(request);
      await ledger.moveBatch(request.batchId, startValidating, 'system');
    }
    await ledger.moveBatch(first.batchId, refuseFile, 'system');
    expect(await ledger.createBatch(newBatch({ file }))).toEqual({ kind: 'same_file', batchIds: [second.batchId] });
    await ledger.moveBatch(second.batchId, refuseFile, 'system');
    expect(await ledger.createBatch(newBatch({ file }))).toMatchObject({ kind: 'created' });
  });

  it('stays when a late validation failure is refused', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    await ledger.moveBatch(request.batchId, startValidating, 'system');
    await ledger.moveBatch(request.batchId, startProcessing, 'system');
    expect(await ledger.moveBatch(request.batchId, refuseFile, 'system')).toMatchObject({ kind: 'refused' });
    expect(await ledger.createBatch(newBatch({ file: request.file }))).toMatchObject({ kind: 'same_file' });
  });
});

describe('the mark of a file’s content', () => {
  /** A batch with its own file, which is being read. */
  const validating = async (changes: Partial<NewBatch> = {}): Promise<NewBatch> => {
    const request = newBatch(changes);
    await ledger.createBatch(request);
    await ledger.moveBatch(request.batchId, startValidating, 'system');
    return request;
  };
  /** Records that a batch's file has this content. */
  const record = (batch: NewBatch, sha256: string) =>
    ledger.recordPlan(batch, { ...examplePlan(batch.batchId, 0, []), sha256 });

  it('refuses the same content of another file, names the batch that has it, and records no plan', async () => {
    const sha256 = randomUUID();
    const [first, second] = [await validating({ batchId: `1-${randomUUID()}` }), await validating()];
    expect(await record(first, sha256)).toEqual({ kind: 'recorded' });
    expect(await record(second, sha256)).toEqual({ kind: 'same_content', batchIds: [first.batchId] });
    expect(await ledger.getBatch(second.batchId)).not.toHaveProperty('plan');
    expect(await record(await validating(), randomUUID())).toEqual({ kind: 'recorded' });
  });

  it('lets one of ten concurrent batches with equal content continue', async () => {
    const sha256 = randomUUID();
    const batches = await times(10, () => validating());
    const answers = await Promise.all(batches.map((batch) => record(batch, sha256)));
    expect(answers.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'same_content')).toHaveLength(9);
  });

  it('does not refuse a batch for its own mark when its plan is recorded again', async () => {
    const [batch, sha256] = [await validating(), randomUUID()];
    const answers = await times(3, () => record(batch, sha256));
    expect(answers).toEqual(Array(3).fill({ kind: 'recorded' }));
    const later = { ...examplePlan(batch.batchId, 0, []), prefix: 'another run/', sha256 };
    expect(await ledger.recordPlan(batch, later)).toEqual({ kind: 'refused' });
  });

  it.each([
    { name: 'a batch that pays', before: {}, end: startProcessing, refuses: true },
    { name: 'a canceled batch, which may have paid', before: {}, end: cancel, refuses: true },
    { name: 'a batch that was allowed the same file', before: { allowSameFile: true }, refuses: true },
    { name: 'a preview', before: { mode: 'preview' as const }, end: preview, refuses: false },
  ])('blocks after $name: $refuses', async ({ before, end, refuses }) => {
    const [first, sha256] = [await validating(before), randomUUID()];
    await record(first, sha256);
    if (end !== undefined) await ledger.moveBatch(first.batchId, end, 'system');
    const kind = refuses ? 'same_content' : 'recorded';
    for (const mode of ['preview', 'disburse'] as const)
      expect(await record(await validating({ mode }), sha256)).toMatchObject({ kind });
  });

  it.each(['preview', 'disburse'] as const)('admits a batch that may repeat the file: %s', async (mode) => {
    const sha256 = randomUUID();
    await record(await validating(), sha256);
    expect(await record(await validating({ mode, allowSameFile: true }), sha256)).toEqual({ kind: 'recorded' });
  });

  it('names no batch that was refused for it', async () => {
    const [allowed, refused, sha256] = [await validating(), await validating(), randomUUID()];
    await record(allowed, sha256);
    await record(refused, sha256);
    await ledger.moveBatch(refused.batchId, refuseFile, 'system', { plan: examplePlan(refused.batchId, 0, []) });
    expect(await record(await validating(), sha256)).toEqual({ kind: 'same_content', batchIds: [allowed.batchId] });
  });

  it('stays with the plan when a late run of PlanBatch refuses the file', async () => {
    const [batch, sha256] = [await validating(), randomUUID()];
    await record(batch, sha256);
    const late = { plan: examplePlan(batch.batchId, 0, []) };
    expect(await ledger.moveBatch(batch.batchId, refuseFile, 'system', late)).toMatchObject({ kind: 'refused' });
    expect(await record(await validating(), sha256)).toEqual({ kind: 'same_content', batchIds: [batch.batchId] });
  });

  it('is not set by a batch that has left validating', async () => {
    const [canceled, sha256] = [await validating(), randomUUID()];
    await ledger.moveBatch(canceled.batchId, cancel, 'system');
    expect(await record(canceled, sha256)).toEqual({ kind: 'refused' });
    expect(await record(await validating(), sha256)).toEqual({ kind: 'recorded' });
  });
});

describe('listing batches', () => {
  const at = async (iso: string, end = false): Promise<string> => {
    time.now = Date.parse(iso);
    const batchId = await batchIn(ledger, end ? 'canceled' : 'accepted');
    return batchId;
  };

  it('is newest first over days, in pages, by status, and ends', async () => {
    const january1 = await at('2025-01-01T10:00:00.000Z');
    const january2 = await at('2025-01-02T10:00:00.000Z', true);
    const january2Later = await at('2025-01-02T23:59:59.999Z');
    const february1 = await at('2025-02-01T00:00:00.000Z');

    for (const limit of [1, 2, 10]) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await ledger.listBatches({
          day: '2025-02-01',
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items.map(({ batchId }) => batchId));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(found).toEqual([february1, january2Later, january2, january1]);
    }

    const afterAQuarter = await ledger.listBatches({ day: '2025-05-20', limit: 10 });
    expect(afterAQuarter.items).toEqual([]);
    const older = await ledger.listBatches({ day: '2025-05-20', limit: 10, cursor: afterAQuarter.cursor ?? '' });
    expect(older.items.map(({ batchId }) => batchId)).toContain(february1);

    const canceled = await ledger.listBatches({ day: '2025-01-02', limit: 10, status: 'canceled' });
    expect(canceled.items.map(({ batchId }) => batchId)).toEqual([january2]);
  });

  it.each(['', 'not a cursor', Buffer.from('{"day":"yesterday"}').toString('base64url')])(
    'rejects the cursor %j',
    async (cursor) => {
      await expect(ledger.listBatches({ day: '2025-02-01', limit: 1, cursor })).rejects.toThrow(InvalidCursor);
    },
  );
});

describe('moving a batch', () => {
  it('changes its status, attributes and timeline together', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const reason = { code: 'asked', message: 'Asked by a person.' };
    const moved = await ledger.moveBatch(
      batchId,
      pause,
      'arn:person',
      { reason, resumeTo: 'processing' },
      { detail: 'a detail' },
    );
    expect(moved).toMatchObject({ kind: 'moved', batch: { status: 'paused', reason, resumeTo: 'processing' } });
    expect((await timelineOf(ledger, batchId)).at(-1)).toMatchObject({
      code: 'batch.paused',
      by: 'arn:person',
      detail: 'a detail',
    });
    const resumed = await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'arn:person', {
      resumeTo: null,
    });
    expect(resumed.batch).not.toHaveProperty('reason');
    expect(resumed.batch).not.toHaveProperty('resumeTo');
  });

  it.each(['validation_failed', 'previewed', 'completed', 'canceled'] as const)('fails from %s', async (end) => {
    const batchId = await batchIn(ledger, end);
    const events = await timelineOf(ledger, batchId);
    for (const transition of [startValidating, startProcessing, cancel])
      expect(await ledger.moveBatch(batchId, transition, 'system')).toMatchObject({
        kind: 'refused',
        batch: { status: end },
      });
    expect(await timelineOf(ledger, batchId)).toEqual(events);
  });

  it('lets one of ten equal moves succeed', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(10, () => ledger.moveBatch(batchId, pause, 'system'));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    expect((await timelineOf(ledger, batchId)).filter(({ code }) => code === 'batch.paused')).toHaveLength(1);
  });

  it('moves only the status that was read, when its time is given', async () => {
    const batchId = await batchIn(ledger, 'paused');
    const leavingSince = (await ledger.getBatch(batchId))?.statusSince ?? '';
    time.now += 1;
    await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'arn:person', { leavingSince });
    await ledger.moveBatch(batchId, pause, 'system', { resumeTo: 'processing' });
    const late = ledger.moveBatch(batchId, batchTransitions.resumeAwaitingFunds, 'arn:person', { leavingSince });
    expect(await late).toMatchObject({ kind: 'refused', batch: { status: 'paused', resumeTo: 'processing' } });
  });

  it.each([
    ['moves a batch that entered its status at the given time', 0, 'moved'],
    ['leaves a batch that entered its status after the given time', -1, 'refused'],
  ] as const)('%s', async (_, difference, kind) => {
    const batchId = await batchIn(ledger, 'processing');
    const since = Date.parse((await ledger.getBatch(batchId))?.statusSince ?? '');
    const enteredNoLaterThan = new Date(since + difference).toISOString();
    expect(await ledger.moveBatch(batchId, pause, 'system', { enteredNoLaterThan })).toMatchObject({ kind });
  });

  it('fails when a person has acknowledged the words for which it would be paused', async () => {
    const batchId = await batchIn(ledger, 'paused');
    await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'arn:person', { acknowledgedWords: ['seen'] });
    expect(await ledger.moveBatch(batchId, pause, 'system', { refusedWords: 'seen' })).toMatchObject({
      kind: 'refused',
    });
    expect(await ledger.moveBatch(batchId, pause, 'system', { refusedWords: 'new' })).toMatchObject({ kind: 'moved' });
  });

  it('throws for a missing batch', async () => {
    await expect(ledger.moveBatch('nowhere', complete, 'system')).rejects.toThrow(InvariantBroken);
  });
});

describe('scheduling a batch', () => {
  it('counts the execution that begins at its time', async () => {
    const batchId = await batchIn(ledger, 'validating');
    const batch = await existing(batchId);
    expect(await ledger.scheduleBatch(batch)).toMatchObject({
      kind: 'moved',
      batch: { status: 'scheduled', executions: 2 },
    });
    expect(await ledger.scheduleBatch(batch)).toMatchObject({ kind: 'refused' });
  });

  it.each<[string, (batchId: string) => Promise<unknown>]>([
    ['its cancellation was requested', (batchId) => ledger.requestCancel(batchId, 'arn:person')],
    ['another execution was begun', (batchId) => ledger.beginExecution(batchId, 1, 'arn:person')],
    [
      'it was paused, and goes on again',
      async (batchId) => {
        time.now += 1;
        await ledger.moveBatch(batchId, batchTransitions.halt, 'system');
        await ledger.moveBatch(batchId, batchTransitions.resumeValidating, 'arn:person');
      },
    ],
  ])('fails when, since it was read, %s', async (_, change) => {
    const batchId = await batchIn(ledger, 'validating');
    const batch = await existing(batchId);
    await change(batchId);
    expect(await ledger.scheduleBatch(batch)).toMatchObject({ kind: 'refused', batch: { status: 'validating' } });
  });
});

describe('a plan that corrects another batch', () => {
  const correctedByOf = async (batchId: string) => (await ledger.getBatch(batchId))?.correctedBy;
  /** Records the plan of a correction of batches, in the versions that were read. */
  const record = async (
    corrected: readonly Corrected[],
    changes: Partial<NewBatch> = {},
    planned: Partial<PlanSummary> = {},
  ) => {
    const request = newBatch({ corrects: corrected[0]?.batchId ?? '', ...changes });
    await ledger.createBatch(request);
    await ledger.moveBatch(request.batchId, startValidating, 'system');
    const plan = { ...examplePlan(request.batchId, 0, []), sha256: randomUUID(), ...planned };
    const again = () => ledger.recordPlan(request, plan, corrected);
    return { batchId: request.batchId, answer: await again(), again };
  };

  it('marks each batch that it corrects', async () => {
    const [near, far] = [
      { batchId: await batchIn(ledger, 'validating') },
      { batchId: await batchIn(ledger, 'processing') },
    ];
    const { batchId, answer } = await record([near, far]);
    expect(answer).toEqual({ kind: 'recorded' });
    for (const { batchId: corrected } of [near, far])
      expect(await correctedByOf(corrected)).toEqual(new Set([batchId]));
  });

  it('marks those whose payouts it retries, even one that it also corrects', async () => {
    const [both, retried] = [await batchIn(ledger, 'processing'), await batchIn(ledger, 'processing')];
    const retries = [both, retried].map((of) => ({ batchId: of, payouts: 1 }));
    const { batchId, answer, again } = await record([{ batchId: both }], {}, { retries });
    expect([answer, await again()]).toEqual([{ kind: 'recorded' }, { kind: 'recorded' }]);
    expect(await ledger.getBatch(both)).toMatchObject({
      correctedBy: new Set([batchId]),
      retriedBy: new Set([batchId]),
    });
    const corrected = await ledger.getBatch(retried);
    expect([corrected?.correctedBy, corrected?.retriedBy]).toEqual([undefined, new Set([batchId])]);
    const preview = await record([], { mode: 'preview' }, { retries });
    expect(preview.answer).toEqual({ kind: 'recorded' });
    expect((await ledger.getBatch(retried))?.retriedBy).toEqual(new Set([batchId]));
  });

  it('marks it once when it is recorded again', async () => {
    const { batchId, again } = await record([{ batchId: await batchIn(ledger, 'processing') }]);
    expect(await times(3, again)).toEqual(Array(3).fill({ kind: 'recorded' }));
    expect(await ledger.getBatch(batchId)).toMatchObject({ status: 'validating' });
  });

  it('marks nothing in a preview, or before it has a plan', async () => {
    const corrected = { batchId: await batchIn(ledger, 'processing') };
    expect((await record([corrected], { mode: 'preview' })).answer).toEqual({ kind: 'recorded' });
    await ledger.createBatch(newBatch({ corrects: corrected.batchId }));
    expect(await correctedByOf(corrected.batchId)).toBeUndefined();
  });

  it('is recorded by one of ten concurrent ones, and by the next that has read that', async () => {
    const corrected = { batchId: await batchIn(ledger, 'processing') };
    const runs = await times(10, () => record([corrected]));
    const [first, ...others] = runs.filter(({ answer }) => answer.kind === 'recorded');
    expect(others).toEqual([]);
    expect(runs.filter(({ answer }) => answer.kind === 'corrected_meanwhile')).toHaveLength(9);
    const read = { ...corrected, correctedBy: new Set([first?.batchId ?? '']) };
    const next = await record([read]);
    expect(next.answer).toEqual({ kind: 'recorded' });
    expect(await correctedByOf(corrected.batchId)).toEqual(new Set([first?.batchId, next.batchId]));
  });
});

describe('other changes of a batch', () => {
  it('records only one plan, and recognizes its own after a lost answer', async () => {
    const batch = newBatch({ batchId: await batchIn(ledger, 'validating') });
    const plans = [1, 2, 3, 4, 5].map((run) => ({ ...examplePlan(batch.batchId, 0, []), prefix: `run-${run}/` }));
    const record = () => Promise.all(plans.map((plan) => ledger.recordPlan(batch, plan)));
    const answers = await record();
    expect(answers.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'refused')).toHaveLength(4);
    expect(await record()).toEqual(answers);
    const won = plans[answers.findIndex(({ kind }) => kind === 'recorded')];
    expect((await ledger.getBatch(batch.batchId))?.plan).toEqual(won);
  });

  it.each([2, undefined])('lets calls be claimed up to the last chunk of its canary: %s', async (canaryChunks) => {
    const batch = newBatch({ batchId: await batchIn(ledger, 'validating') });
    const plan = { ...examplePlan(batch.batchId, 3, []), ...given({ canaryChunks }) };
    await ledger.recordPlan(batch, plan);
    expect((await existing(batch.batchId)).claimUpTo).toBe(canaryChunks);
  });

  it('amends only in the given statuses', async () => {
    const batchId = await batchIn(ledger, 'processing');
    expect(await ledger.amendBatch(batchId, ['validating'], { endedExecution: 1 })).toMatchObject({
      kind: 'refused',
    });
    expect(await ledger.amendBatch(batchId, ['processing'], { endedExecution: 1 })).toMatchObject({
      kind: 'moved',
      batch: { executionEnded: true },
    });
  });

  it('requests a cancellation once, and not for an ended batch', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(5, () => ledger.requestCancel(batchId, 'arn:person'));
    expect(answers.every(({ kind }) => kind === 'moved')).toBe(true);
    expect((await timelineOf(ledger, batchId)).filter(({ code }) => code === 'batch.cancel_requested')).toHaveLength(1);
    const ended = await batchIn(ledger, 'completed');
    expect(await ledger.requestCancel(ended, 'arn:person')).toMatchObject({ kind: 'refused' });
    expect(await ledger.getBatch(ended)).not.toHaveProperty('cancelRequestedAt');
    await ledger.moveBatch(batchId, cancel, 'system');
    expect(await ledger.requestCancel(batchId, 'arn:person')).toMatchObject({ kind: 'refused' });
  });

  it('records the end of the last execution, and of no other', async () => {
    const batchId = await batchIn(ledger, 'processing');
    await ledger.beginExecution(batchId, 1, 'arn:person');
    const late = { endedExecution: 1 };
    expect(await ledger.amendBatch(batchId, ['processing'], late)).toMatchObject({ kind: 'refused' });
    expect(await ledger.moveBatch(batchId, pause, 'system', late)).toMatchObject({ kind: 'refused' });
    expect(await ledger.getBatch(batchId)).not.toHaveProperty('executionEnded');
    expect(await ledger.moveBatch(batchId, pause, 'system', { endedExecution: 2 })).toMatchObject({
      kind: 'moved',
      batch: { status: 'paused', executionEnded: true },
    });
  });

  it('lets one of ten equal runs end a batch, again after its next execution', async () => {
    const batchId = await batchIn(ledger, 'processing');
    // A failure that was recorded too early does not stop it.
    await ledger.amendBatch(batchId, ['processing'], { endedExecution: 1 });
    for (const endedExecution of [1, 2]) {
      const answers = await times(10, () => ledger.moveBatch(batchId, complete, 'system', { endedExecution }));
      expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
      await ledger.beginExecution(batchId, endedExecution, 'system');
    }
  });

  it('begins one more execution for ten requests, even long after', async () => {
    const batchId = await batchIn(ledger, 'processing');
    await ledger.amendBatch(batchId, ['processing'], { endedExecution: 1 });
    const answers = await times(10, () => ledger.beginExecution(batchId, 1, 'arn:person'));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    const batch = await ledger.getBatch(batchId);
    expect(batch).toMatchObject({ executions: 2 });
    expect(batch).not.toHaveProperty('executionEnded');
    expect((await timelineOf(ledger, batchId)).at(-1)).toMatchObject({ detail: `${batchId}-2` });
    await ledger.amendBatch(batchId, ['processing'], { endedExecution: 2 });
    expect(await ledger.beginExecution(batchId, 1, 'arn:person')).toMatchObject({ kind: 'refused' });
  });
});
