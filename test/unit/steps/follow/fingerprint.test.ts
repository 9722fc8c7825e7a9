import { describe, expect, it } from 'vitest';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { fingerprintOf } from '../../../../functions/steps/follow/fingerprint.ts';
import { tally } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';

const open = (chunk: number, version: number): ChunkRecord =>
  exampleChunk('b-1', { chunk, version, tallies: { pending: tally(1, '1') }, proofs: 0 });
const ended = (chunk: number, version: number, contradictions = 0): ChunkRecord =>
  exampleChunk('b-1', {
    ...{ chunk, version, tallies: { failed: tally(1, '1') }, proofs: 0 },
    contradictions: { recorded: contradictions, payouts: contradictions },
  });

describe('the fingerprint of a batch', () => {
  it.each([
    ['an open chunk changes', [open(1, 4)], [open(1, 5)]],
    ['the last open chunk ends', [open(1, 4)], [ended(1, 5)]],
    ['an ended chunk is contradicted', [open(1, 4), ended(2, 3)], [open(1, 4), ended(2, 4, 1)]],
    [
      'a chunk ends and another, as often changed, is contradicted',
      [open(1, 4), ended(2, 3)],
      [ended(1, 5), ended(2, 4, 1)],
    ],
    ['two versions are exchanged', [open(1, 4), open(2, 5)], [open(1, 5), open(2, 4)]],
  ])('changes when %s', (_case, before, after) => {
    expect(fingerprintOf(after)).not.toBe(fingerprintOf(before));
  });

  it.each([
    ['nothing changes', [open(1, 4), ended(2, 3)], [open(1, 4), ended(2, 3)]],
    ['the chunks are read in another order', [open(1, 4), open(2, 3)], [open(2, 3), open(1, 4)]],
    ['an ended chunk changes without a contradiction', [open(1, 4), ended(2, 3)], [open(1, 4), ended(2, 4)]],
  ])('stays equal when %s', (_case, before, after) => {
    expect(fingerprintOf(after)).toBe(fingerprintOf(before));
  });
});
