import { describe, expect, it } from 'vitest';
import { publishNews } from '../../../functions/events/publish-news.ts';
import { publishOverdue } from '../../../functions/events/publish-overdue.ts';
import type { EventBus } from '../../../functions/ports/event-bus.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { silentLog } from '../../support/silent-log.ts';

const acceptedAt = Date.parse('2026-01-05T09:00:00.000Z');

/** A bus that accepts everything and records the ids. */
const keeping =
  (ids: string[]): EventBus['publish'] =>
  async (events) => {
    ids.push(...events.map(({ id }) => id));
    return events.length;
  };

/** Two newly accepted batches, and the stream's records of them. */
const scene = async (publish: EventBus['publish']) => {
  const time = { now: acceptedAt };
  const table = memoryLedgerTable();
  const ledger = createMemoryLedger(() => time.now, table);
  for (const batchId of ['b-1', 'b-2']) await ledger.createBatch(newBatch({ batchId }));
  const warnings: unknown[] = [];
  const dependencies = {
    ledger,
    eventBus: { publish },
    log: { ...silentLog, warn: (code: string) => void warnings.push(code) },
    wait: async () => undefined,
    clock: () => time.now,
  };
  const Records = table.items('EVENTS#').map((item, index) => ({
    dynamodb: {
      SequenceNumber: `record-${index}`,
      NewImage: { batchId: { S: String(item['batchId']) }, newsId: { S: String(item['newsId']) } },
    },
  }));
  return { dependencies, records: { Records }, time, warnings };
};

const remaining = { remainingMs: () => 240_000 };

describe('news of the stream', () => {
  it('is published once, even when the stream repeats it', async () => {
    const ids: string[] = [];
    const { dependencies, records } = await scene(keeping(ids));
    expect(await publishNews(dependencies, records)).toEqual({ batchItemFailures: [] });
    expect(await publishNews(dependencies, records)).toEqual({ batchItemFailures: [] });
    expect(ids).toEqual(['b-1-0000001', 'b-2-0000001']);
  });

  it('of one batch that the bus refuses is repeated, and delays no other', async () => {
    const ids: string[] = [];
    const { dependencies, records, warnings } = await scene(async (events) => {
      if (events[0]?.data.batchId === 'b-1') return 0;
      return keeping(ids)(events);
    });
    expect(await publishNews(dependencies, records)).toEqual({ batchItemFailures: [{ itemIdentifier: 'record-0' }] });
    expect(ids).toEqual(['b-2-0000001']);
    expect(warnings).toEqual(['events.not_told']);
  });

  it('is retried within the run when the bus refuses briefly', async () => {
    const tries = { 'b-1': 0, 'b-2': 0 };
    const { dependencies, records } = await scene(async (events) => {
      const batchId = events[0]?.data.batchId === 'b-1' ? 'b-1' : 'b-2';
      tries[batchId] += 1;
      return tries[batchId] < 3 ? 0 : events.length;
    });
    expect(await publishNews(dependencies, records)).toEqual({ batchItemFailures: [] });
    expect(tries).toEqual({ 'b-1': 3, 'b-2': 3 });
  });
});

describe('the news that a payout is contradicted', () => {
  const contradicted = async () => {
    const scene = await createBatchScene({ rows: 1 });
    const [file] = scene.files;
    if (file === undefined) throw new Error('no chunk');
    await scene.ledger.registerPayouts(file);
    await scene.arrange(1, { status: 'completed', disbursementId: 'd-ref-1' });
    // The batch's earlier news, so that only the contradiction is left.
    await scene.publishNews();
    const found = { code: 'changed_after_end', disbursementId: 'd-ref-1', observed: 'failed' } as const;
    await scene.ledger.recordContradiction(scene.payout(1), found);
    return scene;
  };

  it('raises the alarm, once, though the run that recorded it died', async () => {
    const scene = await contradicted();
    await scene.publishNews();
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect(scene.lines).toContainEqual({
      code: 'PayoutChangedAfterEnd',
      batchId: 'b-1',
      chunk: 1,
      row: 1,
      status: 'completed',
      contradiction: 'changed_after_end',
      observed: 'failed',
    });
  });

  it('raises it again after a run that died before it numbered the news', async () => {
    const scene = await contradicted();
    const writeEvents = async () => {
      throw new Error('the function died');
    };
    await expect(scene.publishNews({ writeEvents })).rejects.toThrow('the function died');
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd', 'PayoutChangedAfterEnd']);
  });
});

describe('overdue news', () => {
  it.each([
    ['unnumbered', async () => undefined],
    [
      'refused by the bus',
      async ({ dependencies, records }: Awaited<ReturnType<typeof scene>>) =>
        void (await publishNews({ ...dependencies, eventBus: { publish: async () => 0 } }, records)),
    ],
  ])('is published when it is two minutes old: %s', async (_what, before) => {
    const ids: string[] = [];
    const made = await scene(keeping(ids));
    await before(made);
    await publishOverdue(made.dependencies, remaining);
    expect(ids).toEqual([]);
    made.time.now += 120_001;
    await publishOverdue(made.dependencies, remaining);
    await publishOverdue(made.dependencies, remaining);
    expect(ids.toSorted()).toEqual(['b-1-0000001', 'b-2-0000001']);
  });

  it('of one batch that the bus refuses delays no other, and ends in an error', async () => {
    const ids: string[] = [];
    const { dependencies, time } = await scene(async (events) =>
      events[0]?.data.batchId === 'b-1' ? 0 : keeping(ids)(events),
    );
    time.now += 600_000;
    await expect(publishOverdue(dependencies, remaining)).rejects.toThrow('events of 1 batches');
    expect(ids).toEqual(['b-2-0000001']);
  });

  it('waits for the next run when time is short', async () => {
    const ids: string[] = [];
    const { dependencies, time } = await scene(keeping(ids));
    time.now += 600_000;
    await publishOverdue(dependencies, { remainingMs: () => 1000 });
    expect(ids).toEqual([]);
    await publishOverdue(dependencies, remaining);
    expect(ids.toSorted()).toEqual(['b-1-0000001', 'b-2-0000001']);
  });
});
