import { expect, it } from 'vitest';
import type { Call } from '../../../../functions/domain/batch/chunk.ts';
import { decideNextCall } from '../../../../functions/domain/batch/chunk.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { payout } from '../../payouts/example.ts';

it('a row of a refused call goes out only with rows of that call', () => {
  const call: Call = {
    ...{ batchId: 'b-1', chunk: 1, k: 1, rows: [1, 2, 3, 4], payloadHash: 'p', claimId: 'i', claimedAt: 't' },
    outcome: { kind: 'rejected', message: 'm' },
  };
  const payouts = [
    { ...payout, row: 1, status: 'ready', call: 1 } as const,
    { ...payout, row: 5, status: 'ready' } as const,
  ];
  const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls: [call] }, 98);
  expect(next).toEqual({ k: 2, rows: [1] });
});
