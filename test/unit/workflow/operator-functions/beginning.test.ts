import { describe, expect, it } from 'vitest';
import { startBatch } from '../../../../functions/api/batches/start-batch.ts';
import { endpoint } from '../../../../functions/api/endpoint.ts';
import * as operations from '../../../../functions/api/schemas/operations/batch-operations.ts';
import { OperatorApiFailed } from '../../../../functions/domain/errors.ts';
import { problemType } from '../../../../functions/domain/problems.ts';
import type { CreateBatch, NewBatch } from '../../../../functions/ports/ledger/batch-ledger.ts';
import type { BatchToBegin } from '../../../../functions/ports/operator-functions.ts';
import { createBegin } from '../../../../functions/workflow/operator-functions.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { batch, fakeLedger } from '../../api/fixtures.ts';
import { lambdaOver } from './lambda-over.ts';

const lambdaWith = (outcome: (asked: NewBatch) => CreateBatch) => {
  const created: NewBatch[] = [];
  const ledger = fakeLedger({
    createBatch: async (asked) => {
      created.push(asked);
      return outcome(asked);
    },
  });
  const dependencies = {
    ledger,
    files: { pinUpload: async (key: string, versionId = 'current') => ({ key, versionId, bytes: 1 }) },
    workflow: fakeWorkflow(),
    ids: { sortable: () => '01JGFJJZ00E5X7B6NRW2M8K4VD' },
    clock: () => 0,
    settings: { maxFileBytes: 10 },
    bucket: 'files',
  };
  const handler = endpoint(silentLog, operations.startBatch, (request) => startBatch(dependencies, request));
  return { created, ...lambdaOver(handler) };
};

const payment: BatchToBegin = {
  mode: 'disburse',
  approval: 'required',
  file: 'uploads/a.csv',
  versionId: 'v-1',
  invalidRows: 'skip',
  idempotencyKey: 'console-1',
};

describe('beginning a batch by the function of the operator API', () => {
  it('starts a batch like the API, in the given name', async () => {
    const { created, invoked, send } = lambdaWith(({ batchId }) => ({
      kind: 'created',
      batch: batch({ batchId, status: 'validating' }),
    }));
    expect(await createBegin({ send }, 'StartBatch')(payment, 'console')).toEqual({
      kind: 'begun',
      batchId: 'b-01jgfjjz00e5x7b6nrw2m8k4vd',
      batchStatus: 'validating',
    });
    expect(invoked).toEqual([['StartBatch', 'console']]);
    expect(created).toMatchObject([
      {
        mode: 'disburse',
        approvalRequired: true,
        invalidRows: 'skip',
        file: { key: 'uploads/a.csv', versionId: 'v-1' },
        createdBy: 'console',
        idempotencyKey: 'console-1',
      },
    ]);
  });

  it.each([
    [
      payment,
      {
        type: problemType('same_file'),
        batchId: 'b-7',
        detail: expect.stringContaining('This version of the file is held by b-7'),
      },
    ],
    [{ ...payment, file: 'batches/b-1/x' }, { detail: 'body.file: a key under uploads/, or s3://<bucket>/uploads/…' }],
  ])('passes on the API’s reason for a refusal', async (asked, reason) => {
    const { send } = lambdaWith(() => ({ kind: 'same_file', batchIds: ['b-7'] }));
    expect(await createBegin({ send }, 'StartBatch')(asked, 'console')).toMatchObject({
      kind: 'refused',
      ...reason,
    });
  });

  it('fails when the function did', async () => {
    const send = async () => ({ FunctionError: 'Unhandled', Payload: Buffer.from('{}') });
    await expect(createBegin({ send }, 'StartBatch')(payment, 'console')).rejects.toThrow(OperatorApiFailed);
  });
});
