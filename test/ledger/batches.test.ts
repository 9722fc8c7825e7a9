import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../functions/domain/batch-status.ts';
import { InvalidCursor, InvariantBroken } from '../../functions/domain/errors.ts';
import { batchIn, newBatch, timelineOf, times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger, time } = useLedger();
const { startValidating, refuseFile, startProcessing, pause, complete, cancel } = batchTransitions;

describe('creating a batch', () => {
  it('stands as accepted, with its first execution counted and the first line of its timeline', async () => {
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

  it('answers the same key and request with the batch that came of it', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const again = await ledger.createBatch({ ...request, batchId: randomUUID() });
    expect(again).toMatchObject({ kind: 'repeated', batch: { batchId: request.batchId } });
  });

  it('refuses a key that was used for another request, and names its batch', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const other = newBatch({ idempotencyKey: request.idempotencyKey, requestHash: 'another request' });
    expect(await ledger.createBatch(other)).toEqual({ kind: 'key_reused', batchId: request.batchId });
    expect(await ledger.getBatch(other.batchId)).toBeUndefined();
  });

  it('finds what a start came to by its key, without its file', async () => {
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

  it('keeps the keys of two callers apart', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    const other = newBatch({
      idempotencyKey: request.idempotencyKey,
      createdBy: 'arn:aws:iam::123456789012:user/bonus',
    });
    expect(await ledger.createBatch(other)).toMatchObject({ kind: 'created' });
  });

  it('is one batch when the same request comes ten times at once', async () => {
    const request = newBatch();
    const answers = await times(10, () => ledger.createBatch({ ...request, batchId: randomUUID() }));
    const batchIds = new Set(answers.map((answer) => ('batch' in answer ? answer.batch.batchId : answer.kind)));
    expect(batchIds.size).toBe(1);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['created', ...Array<string>(9).fill('repeated')]);
  });

  it('recognizes its own batch when only the answer was lost', async () => {
    const request = newBatch();
    await ledger.createBatch(request);
    expect(await ledger.createBatch(request)).toMatchObject({ kind: 'created', batch: { batchId: request.batchId } });
  });
});

describe('the mark of a file version', () => {
  it('refuses the same file again and names the first batch', async () => {
    const first = newBatch({ batchId: `1-${randomUUID()}` });
    await ledger.createBatch(first);
    const again = newBatch({ file: first.file });
    expect(await ledger.createBatch(again)).toEqual({ kind: 'same_file', batchId: first.batchId });
    expect(await ledger.getBatch(again.batchId)).toBeUndefined();
  });

  it('lets one of ten batches of a file in when they come at once', async () => {
    const { file } = newBatch();
    const answers = await times(10, () => ledger.createBatch(newBatch({ file })));
    expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'same_file')).toHaveLength(9);
  });

  it.each([
    { name: 'another version of the file', change: { file: { key: 'uploads/same.csv', versionId: 'v2', bytes: 1 } } },
    { name: 'allowSameFile', change: { allowSameFile: true } },
    { name: 'a preview', change: { mode: 'preview' as const } },
  ])('does not stand in the way of $name', async ({ change }) => {
    const file = { key: 'uploads/same.csv', versionId: randomUUID(), bytes: 1 };
    await ledger.createBatch(newBatch({ file }));
    expect(await ledger.createBatch(newBatch({ file, ...change }))).toMatchObject({ kind: 'created' });
  });

  it('is not set by a preview', async () => {
    const { file } = newBatch();
    await ledger.createBatch(newBatch({ file, mode: 'preview' }));
    expect(await ledger.createBatch(newBatch({ file }))).toMatchObject({ kind: 'created' });
  });

  it('goes with a batch whose validation failed, but not while another batch pays from the file', async () => {
    const { file } = newBatch();
    const first = newBatch({ batchId: `1-${randomUUID()}`, file });
    const second = newBatch({ batchId: `2-${randomUUID()}`, file, allowSameFile: true });
    for (const request of [first, second]) {
      await ledger.createBatch(request);
      await ledger.moveBatch(request.batchId, startValidating, 'system');
    }
    await ledger.moveBatch(first.batchId, refuseFile, 'system');
    expect(await ledger.createBatch(newBatch({ file }))).toEqual({ kind: 'same_file', batchId: second.batchId });
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

describe('listing batches', () => {
  const at = async (iso: string, end = false): Promise<string> => {
    time.now = Date.parse(iso);
    const batchId = await batchIn(ledger, end ? 'canceled' : 'accepted');
    return batchId;
  };

  it('goes newest first over days, in pages, by status, and ends', async () => {
    const january1 = await at('2025-01-01T10:00:00.000Z');
    const january2 = await at('2025-01-02T10:00:00.000Z', true);
    const january2Later = await at('2025-01-02T23:59:59.999Z');
    const february1 = await at('2025-02-01T00:00:00.000Z');

    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ledger.listBatches({
        day: '2025-02-01',
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.map(({ batchId }) => batchId));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(found).toEqual([february1, january2Later, january2, january1]);

    const canceled = await ledger.listBatches({ day: '2025-01-02', limit: 10, status: 'canceled' });
    expect(canceled.items.map(({ batchId }) => batchId)).toEqual([january2]);
  });

  it.each(['', 'not a cursor', Buffer.from('{"day":"yesterday"}').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      await expect(ledger.listBatches({ day: '2025-02-01', limit: 1, cursor })).rejects.toThrow(InvalidCursor);
    },
  );
});

describe('moving a batch', () => {
  it('changes its status and attributes, and adds to its timeline, together', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const reason = { code: 'asked', message: 'Asked by a person.' };
    const moved = await ledger.moveBatch(batchId, pause, 'arn:person', { reason, resumeTo: 'processing' }, 'a detail');
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

  it.each(['validation_failed', 'previewed', 'completed', 'canceled'] as const)('is refused from %s', async (end) => {
    const batchId = await batchIn(ledger, end);
    const events = await timelineOf(ledger, batchId);
    for (const transition of [startValidating, startProcessing, cancel])
      expect(await ledger.moveBatch(batchId, transition, 'system')).toMatchObject({
        kind: 'refused',
        batch: { status: end },
      });
    expect(await timelineOf(ledger, batchId)).toEqual(events);
  });

  it('lets one of ten equal moves through', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(10, () => ledger.moveBatch(batchId, pause, 'system'));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    expect((await timelineOf(ledger, batchId)).filter(({ code }) => code === 'batch.paused')).toHaveLength(1);
  });

  it('leaves the very status that was read, where it is told since when', async () => {
    const batchId = await batchIn(ledger, 'paused');
    const leavingSince = (await ledger.getBatch(batchId))?.statusSince ?? '';
    time.now += 1;
    await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'arn:person', { leavingSince });
    await ledger.moveBatch(batchId, pause, 'system', { resumeTo: 'processing' });
    const late = ledger.moveBatch(batchId, batchTransitions.resumeAwaitingFunds, 'arn:person', { leavingSince });
    expect(await late).toMatchObject({ kind: 'refused', batch: { status: 'paused', resumeTo: 'processing' } });
  });

  it('breaks an invariant where there is no batch', async () => {
    await expect(ledger.moveBatch('nowhere', complete, 'system')).rejects.toThrow(InvariantBroken);
  });
});

describe('other changes of a batch', () => {
  const plan = (prefix: string) => ({
    prefix,
    manifestKey: `${prefix}manifest.json`,
    chunks: 0,
    rows: 0,
    validRows: 0,
    invalidRows: 0,
    errors: [],
    currencies: [],
  });

  it('records one plan only, and knows its own when the answer was lost', async () => {
    const batchId = await batchIn(ledger, 'validating');
    const answers = await times(5, (run) => ledger.amendBatch(batchId, ['validating'], { plan: plan(`run-${run}/`) }));
    const won = answers.filter(({ kind }) => kind === 'moved');
    expect(won).toHaveLength(1);
    const prefix = won[0]?.batch.plan?.prefix ?? '';
    expect(await ledger.amendBatch(batchId, ['validating'], { plan: plan(prefix) })).toMatchObject({ kind: 'moved' });
    expect((await ledger.getBatch(batchId))?.plan?.prefix).toBe(prefix);
  });

  it('amends only in the statuses given', async () => {
    const batchId = await batchIn(ledger, 'processing');
    expect(await ledger.amendBatch(batchId, ['validating'], { endedExecution: 1 })).toMatchObject({
      kind: 'refused',
    });
    expect(await ledger.amendBatch(batchId, ['processing'], { endedExecution: 1 })).toMatchObject({
      kind: 'moved',
      batch: { executionEnded: true },
    });
  });

  it('requests a cancellation once, and not of a batch that ended', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(5, () => ledger.requestCancel(batchId, 'arn:person'));
    expect(answers.every(({ kind }) => kind === 'moved')).toBe(true);
    expect((await timelineOf(ledger, batchId)).filter(({ code }) => code === 'batch.cancel_requested')).toHaveLength(1);
    const ended = await batchIn(ledger, 'completed');
    expect(await ledger.requestCancel(ended, 'arn:person')).toMatchObject({ kind: 'refused' });
    expect(await ledger.getBatch(ended)).not.toHaveProperty('cancelRequestedAt');
  });

  it('writes down the end of the last execution, and of no other', async () => {
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

  it('begins one further execution when ten want to, also long after', async () => {
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
