import { describe, expect, it } from 'vitest';
import { isChunkOpen } from '../../../../functions/domain/batch/progress.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { tally } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';

const one = tally(1, '1');
const ended: readonly PayoutStatus[] = ['completed', 'failed', 'canceled', 'rejected'];

describe('a chunk is open', () => {
  it.each([...payoutStatuses])('by a payout that is %s, unless that is an end', (status) => {
    const record = exampleChunk('b-1', { tallies: { failed: one, [status]: one }, rail: 'crypto' });
    expect(isChunkOpen(record)).toBe(!ended.includes(status));
  });

  it.each([
    ['that is lacking', {}, true],
    ['of one of two transfers', { tallies: { completed: tally(2, '2') }, proofs: 1 }, true],
    ['that is archived', { proofs: 1 }, false],
    ['that is given up', { proofsGivenUp: 1 }, false],
    ['of money that came back', { contradictions: { recorded: 1, payouts: 1, withoutProof: 1 } }, false],
    ['of a wallet, which gets none', { rail: 'crypto' }, false],
  ] as const)('by a proof %s: %o', (_name, changes, expected) => {
    expect(isChunkOpen(exampleChunk('b-1', { tallies: { completed: one }, ...changes }))).toBe(expected);
  });

  it('not without payouts', () => {
    expect(isChunkOpen(exampleChunk('b-1'))).toBe(false);
    expect(isChunkOpen(exampleChunk('b-1', { tallies: { pending: tally(0) } }))).toBe(false);
  });
});
