import { describe, expect, it } from 'vitest';
import { pauseBatch } from '../../../../functions/api/batches/pause-batch.ts';
import { endpoint } from '../../../../functions/api/endpoint.ts';
import * as operations from '../../../../functions/api/schemas/operations/batch-operations.ts';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import { OperatorApiFailed } from '../../../../functions/domain/errors.ts';
import { createSteer } from '../../../../functions/workflow/operator-functions.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { batch, fakeLedger } from '../../api/fixtures.ts';
import { lambdaOver } from './lambda-over.ts';

const lambdaWith = (found: Batch | undefined) => {
  const moves: string[] = [];
  const ledger = fakeLedger({
    getBatch: async () => found,
    moveBatch: async (batchId, _, by) => {
      moves.push(`${batchId} by ${by}`);
      return { kind: 'moved', batch: batch({ status: 'paused' }) };
    },
  });
  const handler = endpoint(silentLog, operations.pauseBatch, (request) =>
    pauseBatch({ ledger, workflow: fakeWorkflow() }, request),
  );
  return { moves, ...lambdaOver(handler) };
};

const functions = { pause: 'PauseBatch', cancel: 'CancelBatch' } as const;

describe('steering a batch by the functions of the operator API', () => {
  it('acts like the API, in the given name', async () => {
    const { moves, invoked, send } = lambdaWith(batch());
    expect(await createSteer({ send }, functions)('pause', 'b-1', 'console')).toEqual({
      kind: 'done',
      batchStatus: 'paused',
    });
    expect([moves, invoked]).toEqual([['b-1 by console'], [['PauseBatch', 'console']]]);
  });

  it.each([
    ['there is no such batch', undefined, { title: 'There is no such batch' }],
    ['its status does not allow it', batch({ status: 'completed' }), { detail: expect.stringContaining('completed') }],
  ])('passes on the API’s reason that %s', async (_, found, reason) => {
    const { send } = lambdaWith(found);
    expect(await createSteer({ send }, functions)('pause', 'b-1', 'console')).toMatchObject({
      kind: 'refused',
      ...reason,
    });
  });

  it('fails when the function did', async () => {
    const send = async () => ({ FunctionError: 'Unhandled', Payload: Buffer.from('{}') });
    await expect(createSteer({ send }, functions)('cancel', 'b-1', 'console')).rejects.toThrow(OperatorApiFailed);
  });
});
