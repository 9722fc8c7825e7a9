import { describe, expect, it } from 'vitest';
import { batchStatuses, batchTransitions } from '../../functions/domain/batch/batch-status.ts';
import { batchEnds } from '../support/batch-ends.ts';
import { batchIn } from './example.ts';
import { useLedger } from './table.ts';

const { ledger } = useLedger();

describe('open batches', () => {
  it.each(batchStatuses)('include a batch that is %s, unless that is an end', async (status) => {
    const batchId = await batchIn(ledger, status);
    expect((await ledger.listOpenBatches()).includes(batchId)).toBe(!batchEnds.includes(status));
  });

  it('keep one that is paused and continues, whatever else changes', async () => {
    const batchId = await batchIn(ledger, 'paused');
    await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'system');
    await ledger.requestCancel(batchId, 'arn:person');
    await ledger.beginExecution(batchId, 1, 'arn:person');
    await ledger.amendBatch(batchId, ['processing'], { endedExecution: 2 });
    expect(await ledger.listOpenBatches()).toContain(batchId);
  });
});
