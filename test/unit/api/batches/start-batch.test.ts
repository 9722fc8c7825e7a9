import { describe, expect, it } from 'vitest';
import type { StartBatchDependencies } from '../../../../functions/api/batches/start-batch.ts';
import { startBatch } from '../../../../functions/api/batches/start-batch.ts';
import { batchSummary } from '../../../../functions/api/schemas/batch.ts';
import { startBatchBody } from '../../../../functions/api/schemas/start-batch.ts';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import type { CreateBatch, NewBatch } from '../../../../functions/ports/ledger/batch-ledger.ts';
import { idr } from '../../../support/money.ts';
import { examplePlan } from '../../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { batch, fakeFiles, fakeLedger, operator } from '../fixtures.ts';

const request = (body: Partial<Parameters<typeof startBatch>[1]['body']> = {}, key = 'key-1') => ({
  path: {},
  query: {},
  headers: { 'idempotency-key': key },
  body: {
    file: 'uploads/salaries.csv',
    mode: 'disburse' as const,
    invalidRows: 'reject' as const,
    allowSameFile: false,
    ...body,
  },
  caller: operator,
});

const plan = { ...examplePlan('b-01jgfjjz00e5x7b6nrw2m8k4va', 1, []), invalidRows: 2 };
const corrected: Readonly<Record<string, Batch>> = {
  refused: batch({ status: 'validation_failed' }),
  skipped: batch({ status: 'processing', plan }),
  whole: batch({ status: 'completed', plan: { ...plan, invalidRows: 0 } }),
  accepted: batch({ status: 'accepted' }),
};

const world = (created: (newBatch: NewBatch) => CreateBatch, bytes = 1024, started?: CreateBatch) => {
  const workflow = fakeWorkflow();
  const asked: NewBatch[] = [];
  const looked: Parameters<StartBatchDependencies['ledger']['findStart']>[0][] = [];
  const pinned: (string | undefined)[][] = [];
  const dependencies: StartBatchDependencies = {
    ledger: fakeLedger({
      createBatch: async (newBatch) => {
        asked.push(newBatch);
        return created(newBatch);
      },
      getBatch: async (batchId) => corrected[batchId],
      findStart: async (start) => {
        looked.push(start);
        return started;
      },
    }),
    files: fakeFiles({
      pinUpload: async (key, versionId) => {
        pinned.push([key, versionId]);
        return key.includes('missing') ? undefined : { key, versionId: versionId ?? 'v1', bytes };
      },
    }),
    workflow,
    ids: { sortable: () => '01JGFJJZ00E5X7B6NRW2M8K4VD' },
    clock: () => Date.parse('2026-01-05T09:00:00Z'),
    settings: { maxFileBytes: 2048 },
    bucket: 'payout-files',
  };
  return { workflow, asked, looked, pinned, dependencies };
};

const accepted = batch({ batchId: 'b-01jgfjjz00e5x7b6nrw2m8k4vd', status: 'accepted' });

describe('a start that corrects a batch', () => {
  it.each(['refused', 'skipped'])('is accepted for one that is %s', async (corrects) => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    expect(await startBatch(dependencies, request({ corrects }))).toMatchObject({ kind: 'answer', status: 202 });
    expect(asked).toMatchObject([{ corrects }]);
  });

  it.each([
    ['whole', 'nothing_to_correct'],
    ['accepted', 'nothing_to_correct'],
    ['unknown', 'batch_not_found'],
  ])('is refused for one that is %s', async (corrects, code) => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    const outcome = await startBatch(dependencies, request({ corrects }));
    expect(outcome).toMatchObject({ kind: 'problem', code, about: { batchId: corrects } });
    expect(asked).toEqual([]);
  });

  it('gets the same answer when the request is repeated', async () => {
    const { dependencies } = world(() => ({ kind: 'created', batch: accepted }), 1024, {
      kind: 'repeated',
      batch: accepted,
    });
    expect(await startBatch(dependencies, request({ corrects: 'unknown' }))).toMatchObject({ kind: 'answer' });
  });
});

describe('a start', () => {
  it('pins the current version, writes the batch and starts an execution of its name', async () => {
    const { dependencies, asked, workflow } = world(() => ({ kind: 'created', batch: accepted }));
    const outcome = await startBatch(dependencies, request());
    expect(outcome).toMatchObject({ kind: 'answer', status: 202, location: `batches/${accepted.batchId}` });
    expect(outcome.kind === 'answer' && batchSummary.parse(outcome.body)).toMatchObject({ batchId: accepted.batchId });
    expect(asked).toMatchObject([
      { batchId: accepted.batchId, file: { versionId: 'v1' }, createdBy: operator, idempotencyKey: 'key-1' },
    ]);
    expect(workflow.asked).toEqual([`${accepted.batchId} of ${accepted.batchId}`]);
  });

  it('stores the file’s expected sums, and returns them', async () => {
    const expected = { rows: 2, sums: { IDR: '10.50' } };
    const { dependencies, asked } = world(({ expect: kept }) => ({
      kind: 'created',
      batch: { ...accepted, ...(kept === undefined ? {} : { expect: kept }) },
    }));
    const outcome = await startBatch(dependencies, request({ expect: expected }));
    expect(asked).toMatchObject([{ expect: { rows: 2, sums: new Map([['IDR', idr('10.50')]]) } }]);
    expect(outcome.kind === 'answer' && batchSummary.parse(outcome.body)).toMatchObject({ expect: expected });
  });

  it('repeated while the batch is only accepted starts the execution the first one may have missed', async () => {
    const { dependencies, workflow } = world(() => ({ kind: 'repeated', batch: accepted }));
    const [first, second] = [await startBatch(dependencies, request()), await startBatch(dependencies, request())];
    expect(second).toEqual(first);
    expect([...workflow.running]).toEqual([accepted.batchId]);
  });

  it('throttled by Step Functions gets a problem, and its repetition starts the stored batch', async () => {
    const { dependencies, workflow } = world(({ batchId }) => ({ kind: 'repeated', batch: { ...accepted, batchId } }));
    const throttled = {
      ...dependencies,
      workflow: {
        ...workflow,
        start: async () => {
          throw Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
        },
      },
    };
    const first = await startBatch(throttled, request());
    expect(first).toMatchObject({ kind: 'problem', code: 'unavailable', about: { batchId: accepted.batchId } });
    expect(await startBatch(dependencies, request())).toMatchObject({ kind: 'answer', status: 202 });
    expect([...workflow.running]).toEqual([accepted.batchId]);
  });

  it('that needs approval is stored so', async () => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    await startBatch(dependencies, request({ approval: 'required' }));
    await startBatch(dependencies, request());
    expect(asked.map(({ approvalRequired }) => approvalRequired)).toEqual([true, undefined]);
  });

  it('with a start time keeps its notation', async () => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    await startBatch(dependencies, request({ startAt: '2026-01-05T16:30:00+07:00' }));
    expect(asked).toMatchObject([{ startAt: '2026-01-05T16:30:00+07:00' }]);
  });

  it('repeated after its time returns the same batch', async () => {
    const untold = (): never => {
      throw new Error('nothing is written');
    };
    const { dependencies } = world(untold, 1024, { kind: 'repeated', batch: accepted });
    const outcome = await startBatch(dependencies, request({ startAt: '2026-01-05T08:00:00Z' }));
    expect(outcome).toMatchObject({ kind: 'answer', status: 202, body: { batchId: accepted.batchId } });
  });

  it('whose workflow cannot be started for another reason fails', async () => {
    const { dependencies, workflow } = world(() => ({ kind: 'created', batch: accepted }));
    const start = async (): Promise<never> => {
      throw new Error('no such state machine');
    };
    await expect(startBatch({ ...dependencies, workflow: { ...workflow, start } }, request())).rejects.toThrow(
      'no such',
    );
  });

  it('repeated later returns the same batch and starts nothing', async () => {
    const { dependencies, workflow } = world(() => ({ kind: 'repeated', batch: batch() }));
    expect(await startBatch(dependencies, request())).toMatchObject({ kind: 'answer', status: 202 });
    expect(workflow.asked).toEqual([]);
  });

  it.each([
    ['is gone', { file: 'uploads/missing.csv' }, 1024],
    ['was replaced by one that is too large', {}, 2049],
  ])('repeated returns the same batch, and starts it if needed, when the file %s', async (_name, body, bytes) => {
    const untold = (): never => {
      throw new Error('nothing is written');
    };
    const { dependencies, looked, workflow } = world(untold, bytes, { kind: 'repeated', batch: accepted });
    const outcome = await startBatch(dependencies, request(body));
    expect(outcome).toMatchObject({ kind: 'answer', status: 202, body: { batchId: accepted.batchId } });
    expect(looked).toMatchObject([{ createdBy: operator, idempotencyKey: 'key-1' }]);
    expect([...workflow.running]).toEqual([accepted.batchId]);
  });

  it('returns the batch of a concurrent request with its key, even when that one began while this one is refused', async () => {
    const { dependencies } = world(() => ({ kind: 'created', batch: accepted }));
    let started: CreateBatch | undefined;
    const files = fakeFiles({
      pinUpload: async () => {
        started = { kind: 'repeated', batch: accepted };
        return undefined;
      },
    });
    const ledger = { ...dependencies.ledger, findStart: async () => started };
    const outcome = await startBatch({ ...dependencies, files, ledger }, request());
    expect(outcome).toMatchObject({ kind: 'answer', body: { batchId: accepted.batchId } });
  });

  it.each([
    ['a key', 'uploads/salaries.csv'],
    ['an S3 address', 's3://payout-files/uploads/salaries.csv'],
  ])('takes %s', async (_name, file) => {
    const { dependencies, pinned } = world(() => ({ kind: 'created', batch: accepted }));
    await startBatch(dependencies, request({ file, versionId: 'v9' }));
    expect(pinned).toEqual([['uploads/salaries.csv', 'v9']]);
  });
});

describe('a start is refused', () => {
  it.each([
    ['a file that is not there', { file: 'uploads/missing.csv' }, 'upload_not_found'],
    ['a file of another bucket', { file: 's3://another/uploads/salaries.csv' }, 'upload_not_found'],
  ])('for %s, before anything is written', async (_name, body, code) => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    expect(await startBatch(dependencies, request(body))).toMatchObject({ kind: 'problem', code });
    expect(asked).toEqual([]);
  });

  it.each(['2026-01-05T16:00:00+07:00', '2027-01-05T09:00:01Z'])(
    'for the time %s, before anything is written',
    async (startAt) => {
      const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
      const outcome = await startBatch(dependencies, request({ startAt }));
      expect(outcome).toMatchObject({ kind: 'problem', code: 'invalid_request' });
      expect(JSON.stringify(outcome)).toContain(`${startAt} is `);
      expect(asked).toEqual([]);
    },
  );

  it('for a file that is too large', async () => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }), 2049);
    expect(await startBatch(dependencies, request())).toMatchObject({ kind: 'problem', code: 'file_too_large' });
    expect(asked).toEqual([]);
  });

  it.each([
    [
      { kind: 'same_file', batchIds: ['b-1', 'b-2'] },
      'same_file',
      {
        batchId: 'b-2',
        detail:
          'This version of the file is held by b-1, b-2. See what was paid from it. Send allowSameFile to pay it again.',
      },
    ],
    [{ kind: 'key_reused', batchId: 'b-2' }, 'idempotency_key_reused', { batchId: 'b-2' }],
  ] as const)('naming the other batches: %o', async (created, code, about) => {
    const { dependencies, workflow } = world(() => created);
    expect(await startBatch(dependencies, request())).toMatchObject({ code, about });
    expect(workflow.asked).toEqual([]);
  });
});

describe('a start time’s notation', () => {
  const isTaken = (startAt: string): boolean =>
    startBatchBody.safeParse({ file: 'uploads/salaries.csv', startAt }).success;

  it.each([
    ['2026-01-25T09:00:00+07:00', true],
    ['2026-01-25T02:00:00.5Z', true],
    ['2028-02-29T00:00:00-03:30', true],
    ['2026-02-29T00:00:00Z', false],
    ['2026-01-25T09:00:00', false],
    ['2026-01-25T09:00+07:00', false],
    ['2026-01-25', false],
    ['2026-01-25T09:00:00 Asia/Jakarta', false],
    ['٢٠٢٦-01-25T09:00:00Z', false],
  ])('%s is accepted: %s', (startAt, taken) => {
    expect(isTaken(startAt)).toBe(taken);
  });
});

describe('the hash of a request', () => {
  const hashOf = async (body: Parameters<typeof request>[0], key?: string) => {
    const { dependencies, asked } = world(() => ({ kind: 'created', batch: accepted }));
    await startBatch(dependencies, request(body, key));
    return asked[0]?.requestHash;
  };

  it.each([
    ['the mode', { mode: 'preview' }],
    ['the handling of invalid rows', { invalidRows: 'skip' }],
    ['whether the same file is allowed', { allowSameFile: true }],
    ['the version', { versionId: 'v1' }],
    ['the file', { file: 'uploads/other.csv' }],
    ['that rows are expected', { expect: { rows: 2 } }],
    ['that no sums are expected', { expect: { sums: {} } }],
    ['that it is to be approved', { approval: 'required' }],
    ['the batch that it corrects', { corrects: 'refused' }],
    ['that it is to start at a time', { startAt: '2026-01-25T09:00:00+07:00' }],
    ['that rows are paid before the others', { canary: 1 }],
    ['that unpaid rows pause it', { pauseAbove: 1 }],
  ] as const)('holds %s', async (_name, body) => {
    expect(await hashOf(body)).not.toBe(await hashOf({}));
  });

  it.each([
    ['how many rows are expected', { rows: 2 }, { rows: 3 }],
    ['which sums are expected', { sums: { IDR: '1' } }, { sums: { IDR: '2' } }],
    ['in which currency', { sums: { IDR: '1' } }, { sums: { THB: '1' } }],
  ])('holds %s', async (_name, one, other) => {
    expect(await hashOf({ expect: one })).not.toBe(await hashOf({ expect: other }));
  });

  // A request may be repeated after a deployment. So it must keep the hash that the older version stored.
  it.each([
    ['the fewest fields', {}, 'a6fc1e24eefd1baf70e14f04d80ef60e6cf82ccd22f52788e99fe3b796d8c395'],
    [
      'all fields',
      {
        versionId: 'v1',
        mode: 'preview',
        invalidRows: 'skip',
        allowSameFile: true,
        expect: { rows: 2, sums: { THB: '2', IDR: '1' } },
        approval: 'required',
        startAt: '2026-01-25T09:00:00+07:00',
        canary: 5,
        pauseAbove: 0,
        corrects: 'refused',
      },
      '32ff7aa814fe262e460d19b4420abcdba5d3c14bc2f74762d2f742d221552c4e',
    ],
  ] as const)('stays as it was for a request with %s', async (_name, body, hash) => {
    expect(await hashOf(body)).toBe(hash);
  });

  it('holds a field that the start does not have yet', async () => {
    const january = await hashOf({ canary: 5, ...{ memo: 'January' } });
    expect(await hashOf({ canary: 5, ...{ memo: 'February' } })).not.toBe(january);
    expect(await hashOf({ canary: 5 })).not.toBe(january);
  });

  it('is the same for one moment in two offsets', async () => {
    const one = await hashOf({ startAt: '2026-01-25T09:00:00+07:00' });
    expect(await hashOf({ startAt: '2026-01-25T02:00:00Z' })).toBe(one);
    expect(await hashOf({ startAt: '2026-01-25T02:00:01Z' })).not.toBe(one);
  });

  it('does not depend on the order of the sums', async () => {
    const [one, other] = [{ sums: { IDR: '1', THB: '2' } }, { sums: { THB: '2', IDR: '1' } }];
    expect(await hashOf({ expect: one })).toBe(await hashOf({ expect: other }));
  });

  it('does not depend on the file’s address or the key', async () => {
    const plain = await hashOf({});
    expect(await hashOf({ file: 's3://payout-files/uploads/salaries.csv' })).toBe(plain);
    expect(await hashOf({}, 'key-2')).toBe(plain);
  });
});
