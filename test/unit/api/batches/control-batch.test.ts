import { describe, expect, it } from 'vitest';
import { cancelBatch } from '../../../../functions/api/batches/cancel-batch.ts';
import { pauseBatch } from '../../../../functions/api/batches/pause-batch.ts';
import { resumeBatch } from '../../../../functions/api/batches/resume-batch.ts';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import type { BatchStatus } from '../../../../functions/domain/batch/batch-status.ts';
import { batchStatuses, batchTransitions, isBatchEnd } from '../../../../functions/domain/batch/batch-status.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { tally } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { batch, operator, plan } from '../fixtures.ts';

/** One batch in the real ledger over the table in memory. `meanwhile` is written after the first read. */
const world = (first: Batch, openPayouts = 0, meanwhile?: Batch, over: readonly string[] = [], missingProofs = 0) => {
  const moves: { readonly to: string; readonly by: string }[] = [];
  const workflow = fakeWorkflow(over);
  const real = createMemoryLedger(() => Date.parse('2026-01-05T09:10:00.000Z'));
  real.putBatch(first);
  const tallies = { completed: tally(3, '30'), ...(openPayouts > 0 && { on_hold: tally(openPayouts, '10') }) };
  real.putChunk(exampleChunk('b-1', { tallies, proofs: 3 - missingProofs }));
  let isRead = false;
  const ledger: typeof real = {
    ...real,
    getBatch: async (batchId) => {
      const read = await real.getBatch(batchId);
      if (meanwhile !== undefined && !isRead) real.putBatch(meanwhile);
      isRead = true;
      return read;
    },
    moveBatch: async (...of) => {
      const moved = await real.moveBatch(...of);
      const [, { to }, by] = of;
      if (moved.kind === 'moved') moves.push({ to, by });
      return moved;
    },
  };
  const held = (): Batch => {
    const found = real.batches.get('b-1');
    if (found === undefined) throw new Error('no batch');
    return found;
  };
  const clock = () => Date.parse('2026-02-09T09:00:00Z');
  return { dependencies: { ledger, workflow, clock }, workflow, moves, held };
};

const request = { path: { batchId: 'b-1' }, caller: operator, body: {} };
const conflict = { kind: 'problem', code: 'status_conflict' };

describe('pause', () => {
  it.each(['processing', 'awaiting_funds', 'pending_approval'] as const)(
    'of a batch that is %s remembers its status to return to',
    async (status) => {
      const { dependencies, moves, held } = world(batch({ status }));
      const outcome = await pauseBatch(dependencies, request);
      expect(outcome).toMatchObject({
        status: 200,
        body: { status: 'paused', reason: { code: 'paused_by_operator' } },
      });
      expect(held()).toMatchObject({ resumeTo: status });
      expect(moves).toEqual([{ to: 'paused', by: operator }]);
    },
  );

  it('of a batch that moved since it was read returns to the newer status', async () => {
    const { dependencies, held } = world(batch({ status: 'awaiting_funds' }), 0, batch({ status: 'processing' }));
    await pauseBatch(dependencies, request);
    expect(held()).toMatchObject({ status: 'paused', resumeTo: 'processing' });
  });

  it('of a paused batch changes nothing, and keeps its reason', async () => {
    const reason = { code: 'provider_refused', message: 'The provider refuses the credentials.' };
    const { dependencies, moves } = world(batch({ status: 'paused', resumeTo: 'processing', reason }));
    expect(await pauseBatch(dependencies, request)).toMatchObject({ status: 200, body: { reason } });
    expect(moves).toEqual([]);
  });

  const others = batchStatuses.filter(
    (status) => !['processing', 'awaiting_funds', 'pending_approval', 'paused'].includes(status),
  );
  it.each(others)('of a batch that is %s is a conflict that says so', async (status) => {
    const { dependencies } = world(batch({ status }));
    expect(await pauseBatch(dependencies, request)).toMatchObject({ ...conflict, about: { batchStatus: status } });
  });
});

describe('resume', () => {
  const returns = [
    ['processing', 'processing'],
    ['pending_approval', 'validating'],
    ['awaiting_funds', 'awaiting_funds'],
    ['validating', 'validating'],
    ['accepted', 'validating'],
    ['scheduled', 'validating'],
    [undefined, 'validating'],
  ] as const;

  it('is tried from every status that a person, a halt or a failure may pause', () => {
    const tried: readonly (BatchStatus | undefined)[] = returns.map(([resumeTo]) => resumeTo);
    const { pause, halt, recordFailure } = batchTransitions;
    const left = new Set<BatchStatus>([...pause.from, ...halt.from, ...recordFailure.from]);
    expect([...left].filter((status) => status !== 'paused' && !tried.includes(status))).toEqual([]);
  });

  it.each(returns)('of a batch paused while %s continues as %s', async (resumeTo, status) => {
    const paused = batch({ status: 'paused', ...(resumeTo === undefined ? {} : { resumeTo }) });
    const { dependencies, held, workflow } = world(paused);
    expect(await resumeBatch(dependencies, request)).toMatchObject({ status: 202, body: { status } });
    expect(held()).not.toHaveProperty('resumeTo');
    expect(workflow.asked).toEqual(['b-1 of b-1']);
  });

  it('of a batch that was paused again since it was read is a conflict, and does not end that pause', async () => {
    const reason = { code: 'canary_failed', message: '' };
    const anew = batch({ status: 'paused', resumeTo: 'processing', statusSince: '2026-01-05T09:11:00.000Z', reason });
    const { dependencies, held, workflow } = world(batch({ status: 'paused', resumeTo: 'awaiting_funds' }), 0, anew);
    expect(await resumeBatch(dependencies, request)).toMatchObject({
      ...conflict,
      about: {
        detail: 'Another pause stands since 2026-01-05T09:11:00.000Z (canary_failed). See why, then resume it.',
      },
    });
    expect(held()).toMatchObject({ status: 'paused', reason });
    expect(workflow.asked).toEqual([]);
  });

  it.each([
    ['ends the pause that it names', '2026-01-05T09:11:00.000Z', { status: 202, body: { status: 'processing' } }],
    ['ends no other pause than the one it names', '2026-01-05T09:10:00.000Z', conflict],
  ])('%s', async (_, pausedSince, expected) => {
    const statusSince = '2026-01-05T09:11:00.000Z';
    const { dependencies } = world(batch({ status: 'paused', resumeTo: 'processing', statusSince }));
    expect(await resumeBatch(dependencies, { ...request, body: { pausedSince } })).toMatchObject(expected);
  });

  it('that names a pause which is over changes nothing', async () => {
    const { dependencies, moves } = world(batch({ status: 'processing' }));
    const named = { ...request, body: { pausedSince: '2026-01-05T09:10:00.000Z' } };
    expect(await resumeBatch(dependencies, named)).toMatchObject({ status: 202, body: { status: 'processing' } });
    expect(moves).toEqual([]);
  });

  it('of a batch that was canceled since it was read is a conflict, and starts nothing', async () => {
    const paused = batch({ status: 'paused', resumeTo: 'processing' });
    const { dependencies, workflow } = world(paused, 0, { ...paused, status: 'canceled' });
    expect(await resumeBatch(dependencies, request)).toMatchObject({ ...conflict, about: { batchStatus: 'canceled' } });
    expect(workflow.asked).toEqual([]);
  });

  it('starts a new execution after one died, even for two concurrent requests', async () => {
    const { dependencies, workflow, held } = world(
      batch({ status: 'paused', resumeTo: 'processing', executionEnded: true }),
    );
    await Promise.all([resumeBatch(dependencies, request), resumeBatch(dependencies, request)]);
    expect(held()).toMatchObject({ status: 'processing', executions: 2 });
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it('detects a workflow that was stopped silently, and starts another', async () => {
    const { dependencies, workflow, held } = world(
      batch({ status: 'paused', resumeTo: 'awaiting_funds' }),
      0,
      undefined,
      ['b-1'],
    );
    await resumeBatch(dependencies, request);
    expect(held()).toMatchObject({ status: 'awaiting_funds', executions: 2 });
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it('lets a batch wait for money anew, as long as any other', async () => {
    const since = '2026-01-01T00:00:00.000Z';
    const { dependencies, held } = world(
      batch({ status: 'paused', resumeTo: 'awaiting_funds', awaitingFundsSince: since }),
    );
    await resumeBatch(dependencies, request);
    expect(held()).not.toHaveProperty('awaitingFundsSince');
  });

  it('starts one successor of a stopped workflow, even when the second request learns of its end later', async () => {
    const { dependencies, workflow, held } = world(batch({ status: 'processing' }), 0, undefined, ['b-1']);
    const first = Promise.withResolvers<void>();
    const learnsLater = async (...asked: Parameters<typeof workflow.start>) => {
      const answer = await workflow.start(...asked);
      await first.promise;
      return answer;
    };
    const second = resumeBatch({ ...dependencies, workflow: { ...workflow, start: learnsLater } }, request);
    await resumeBatch(dependencies, request);
    first.resolve();
    await second;
    expect(held()).toMatchObject({ executions: 2 });
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it('starts an execution that an earlier resume counted before it died', async () => {
    const { dependencies, workflow } = world(batch({ status: 'processing', executions: 2 }));
    expect(await resumeBatch(dependencies, request)).toMatchObject({ status: 202 });
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it.each(['completed', 'partially_completed', 'failed'] as const)(
    'of a batch that ended as %s with open payouts follows them once more',
    async (status) => {
      const { dependencies, workflow, moves } = world(batch({ status, executionEnded: true }), 2);
      await resumeBatch(dependencies, request);
      expect(await resumeBatch(dependencies, request)).toMatchObject({ status: 202, body: { status } });
      expect([...workflow.running]).toEqual(['b-1-2']);
      expect(moves).toEqual([]);
    },
  );

  const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-01-05T10:00:00.000Z', chunkVersions: 1 };
  it.each([
    ['lacks proofs', batch({ status: 'completed', report, executionEnded: true }), 0, 1],
    [
      'has payouts that changed since its report',
      batch({ status: 'failed', report: { ...report, chunkVersions: 0 }, executionEnded: true }),
      0,
      0,
    ],
    ['was canceled and has open payouts', batch({ status: 'canceled', report, executionEnded: true }), 1, 0],
  ] as const)('of an ended batch that %s processes it again', async (_name, ended, open, missingProofs) => {
    const { dependencies, workflow } = world(ended, open, undefined, [], missingProofs);
    const named = { ...request, body: { pausedSince: '2026-01-05T09:10:00.000Z' } };
    expect(await resumeBatch(dependencies, named)).toMatchObject({ ...conflict, about: { batchStatus: ended.status } });
    expect([...workflow.running]).toEqual([]);
    expect(await resumeBatch(dependencies, request)).toMatchObject({ status: 202 });
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it('replaces an ended batch’s execution that was stopped in the console', async () => {
    const { dependencies, workflow } = world(batch({ status: 'failed', executions: 2 }), 1, undefined, ['b-1-2']);
    await resumeBatch(dependencies, request);
    expect([...workflow.running]).toEqual(['b-1-3']);
  });

  const ends: readonly BatchStatus[] = batchStatuses.filter(isBatchEnd);
  it.each(ends)('of a batch that ended as %s with nothing open is a conflict', async (status) => {
    const { dependencies, workflow } = world(batch({ status }));
    expect(await resumeBatch(dependencies, request)).toMatchObject({ ...conflict, about: { batchStatus: status } });
    expect(workflow.asked).toEqual([]);
  });

  it.each([
    ['2026-02-09T09:00:00.000Z', 202, undefined],
    ['2026-02-09T08:59:59.999Z', undefined, 'status_conflict'],
  ])('of a batch that is payable until %s is answered by its age', async (payableUntil, status, code) => {
    const paused = batch({ status: 'paused', resumeTo: 'processing', plan: { ...plan, payableUntil } });
    const { dependencies, workflow, held } = world(paused);
    const answered = await resumeBatch(dependencies, request);
    expect(answered).toMatchObject(status === undefined ? { kind: 'problem', code } : { status });
    expect(held().status).toBe(status === undefined ? 'paused' : 'processing');
    expect(workflow.asked).toHaveLength(status === undefined ? 0 : 1);
  });

  it('of a batch without a workflow that is too old to pay is a conflict', async () => {
    const old = { ...plan, payableUntil: '2026-02-09T08:59:59.999Z' };
    const { dependencies, workflow } = world(batch({ status: 'processing', executionEnded: true, plan: old }));
    expect(await resumeBatch(dependencies, request)).toMatchObject({ kind: 'problem', code: 'status_conflict' });
    expect(workflow.asked).toEqual([]);
  });

  it('of a batch that is being canceled is a conflict', async () => {
    const { dependencies, moves } = world(
      batch({ status: 'paused', resumeTo: 'processing', cancelRequestedAt: '2026-01-05T09:10:00.000Z' }),
    );
    expect(await resumeBatch(dependencies, request)).toMatchObject(conflict);
    expect(moves).toEqual([]);
  });
});

describe('cancel', () => {
  const unended = batchStatuses.filter((status) => !isBatchEnd(status));
  it.each(unended)(
    'of a batch that is %s is asked of its workflow, and asked again answers the same',
    async (status) => {
      const { dependencies, workflow } = world(batch({ status }));
      const first = await cancelBatch(dependencies, request);
      expect(first).toMatchObject({ status: 202, body: { cancelRequestedAt: '2026-01-05T09:10:00.000Z' } });
      expect(await cancelBatch(dependencies, request)).toEqual(first);
      expect([...workflow.running]).toEqual(['b-1']);
    },
  );

  it('of a batch whose workflow died starts one to end it', async () => {
    const { dependencies, workflow } = world(batch({ status: 'paused', executionEnded: true }));
    await cancelBatch(dependencies, request);
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it('of a canceled batch returns it', async () => {
    const { dependencies, workflow } = world(batch({ status: 'canceled' }));
    expect(await cancelBatch(dependencies, request)).toMatchObject({ status: 202, body: { status: 'canceled' } });
    expect(workflow.asked).toEqual([]);
  });

  it.each(['completed', 'partially_completed', 'failed', 'previewed', 'validation_failed'] as const)(
    'of a batch that ended as %s is a conflict',
    async (status) => {
      const { dependencies } = world(batch({ status }));
      expect(await cancelBatch(dependencies, request)).toMatchObject({ ...conflict, about: { batchStatus: status } });
    },
  );

  it('of a batch that ended since it was read is a conflict', async () => {
    const { dependencies } = world(batch(), 0, batch({ status: 'completed' }));
    expect(await cancelBatch(dependencies, request)).toMatchObject(conflict);
  });
});

it.each([
  ['pause', pauseBatch],
  ['resume', resumeBatch],
  ['cancel', cancelBatch],
] as const)('%s of an unknown batch is a problem', async (_name, act) => {
  const { dependencies } = world(batch());
  const ledger = { ...dependencies.ledger, getBatch: async () => undefined };
  expect(await act({ ...dependencies, ledger }, request)).toMatchObject({ kind: 'problem', code: 'batch_not_found' });
});
