import { describe, expect, it } from 'vitest';
import { pauseAsRead } from '../../../functions/batches/pause-as-read.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { batchTransitions, isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';

const reason = { code: 'paused_by_operator', message: 'By hand.' };
const pausing = {
  transition: batchTransitions.pause,
  by: 'arn:person',
  reason,
  detail: 'by hand',
  note: 'Ticket 4711',
  isWanted: ({ status }: Batch) => status !== 'paused' && !isBatchEnd(status),
};

describe('pausing a batch as it was read', () => {
  it('records the status to return to, the reason and the caller', async () => {
    const scene = await createBatchScene();
    expect(await pauseAsRead(scene.ledger, await scene.batch(), pausing)).toMatchObject({
      status: 'paused',
      resumeTo: 'processing',
      reason,
    });
    expect(await scene.events('batch.paused')).toMatchObject([
      { by: 'arn:person', detail: 'by hand', note: 'Ticket 4711' },
    ]);
  });

  it('returns to the batch’s newer status, not to the one that was read', async () => {
    const scene = await createBatchScene();
    const stale: Batch = { ...(await scene.batch()), status: 'awaiting_funds' };
    expect(await pauseAsRead(scene.ledger, stale, pausing)).toMatchObject({ status: 'paused', resumeTo: 'processing' });
  });

  it('does not pause a batch that has ended meanwhile', async () => {
    const scene = await createBatchScene();
    const read = await scene.batch();
    await scene.ledger.moveBatch(scene.batchId, batchTransitions.complete, 'system');
    expect(await pauseAsRead(scene.ledger, read, pausing)).toMatchObject({ status: 'completed' });
    expect(await scene.events('batch.paused')).toEqual([]);
  });
});
