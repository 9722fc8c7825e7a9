import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { readOriginals } from '../../../functions/payouts/check-retry.ts';
import { withoutId } from './example.ts';

const contradiction = { code: 'made_after_all', disbursementId: 'd', observed: 'pending', at: 't' } as const;
const payoutOf = (reference: string, changes: Partial<Payout>): Payout => ({
  ...withoutId('unknown'),
  batchId: 'b-0',
  reference,
  ...changes,
});
const failed = { status: 'failed' } as const;
const refusedAndContradicted = { status: 'rejected', contradictions: [contradiction] } as const;
const reason = (code: string) => ({ code, message: '' });

const read = (reference: string, held: Readonly<Record<string, Partial<Payout>>>, names: (string | undefined)[] = []) =>
  readOriginals(
    {
      getPayoutByReference: async (asked) => {
        names.push(asked);
        const changes = held[asked];
        return changes === undefined ? undefined : payoutOf(asked, changes);
      },
    },
    { batchId: 'b-1', reference },
  );

describe('a retry', () => {
  it.each<[string, string, Readonly<Record<string, Partial<Payout>>>, readonly string[]]>([
    ['of a payout that failed', 'X.r1', { X: failed }, ['X']],
    ['of one that was refused', 'X.r1', { X: { status: 'rejected', reason: reason('provider_rejected') } }, ['X']],
    ['of a retry that failed too', 'X.r2', { X: failed, 'X.r1': failed }, ['X', 'X.r1']],
    [
      'after one that came too early, and was never submitted',
      'X.r2',
      { X: failed, 'X.r1': { status: 'rejected', reason: reason('original_not_retryable') } },
      ['X', 'X.r1'],
    ],
    ['of a payout that was itself called X.r1', 'X.r2', { 'X.r1': failed }, ['X.r1']],
    ['that is none', 'X', { X: { status: 'completed' } }, []],
  ])('%s may be made', async (_name, reference, held, expected) => {
    const found = await read(reference, held);
    expect(found.kind === 'read' && found.originals.map((original) => original.reference)).toEqual(expected);
  });

  it.each<[string, string, Readonly<Record<string, Partial<Payout>>>]>([
    ['of a payout that is completed', 'X.r1', { X: { status: 'completed' } }],
    ['of one that is under way', 'X.r1', { X: { status: 'pending' } }],
    ['of one that was not submitted yet', 'X.r1', { X: { status: 'ready' } }],
    ['of one in doubt', 'X.r1', { X: { status: 'quarantined' } }],
    ['of a canceled one', 'X.r1', { X: { status: 'canceled' } }],
    ['of one that was given up', 'X.r1', { X: { status: 'failed', reason: reason('settled_written_off') } }],
    ['of a duplicate', 'X.r1', { X: { status: 'rejected', reason: reason('duplicate_reference') } }],
    ['of one that is contradicted', 'X.r1', { X: { ...failed, contradictions: [contradiction] } }],
    [
      'of one that is contradicted, seen to',
      'X.r1',
      { X: { ...failed, contradictions: [contradiction], contradictionsNoted: 1 } },
    ],
    ['whose first original is paid by now', 'X.r2', { X: { status: 'completed' }, 'X.r1': failed }],
    ['whose last original is under way', 'X.r2', { X: failed, 'X.r1': { status: 'pending' } }],
    ['that comes before its original', 'X.r1', {}],
    ['that retries a retry by another name', 'X.r1.r1', { X: failed, 'X.r1': failed }],
    ['of a row of its own file', 'X.r1', { X: { batchId: 'b-1', status: 'ready' } }],
    ['that leaves one out', 'X.r2', { X: failed }],
    ['that leaves the last of three out', 'X.r3', { X: failed, 'X.r1': failed }],
    [
      'of a retry that came too early, but may have been made',
      'X.r2',
      { X: failed, 'X.r1': { status: 'quarantined', reason: reason('original_not_retryable') } },
    ],
    ['of one that was refused without a word and is contradicted', 'X.r1', { X: refusedAndContradicted }],
    ['whose last original is in its own file', 'X.r2', { X: failed, 'X.r1': { ...failed, batchId: 'b-1' } }],
  ])('%s is refused', async (_name, reference, held) => {
    expect(await read(reference, held)).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['X', []],
    ['X.r1', ['X']],
    ['X.r999', ['X.r998']],
  ])('%s without originals costs only the reads of %o', async (reference, expected) => {
    const names: (string | undefined)[] = [];
    await read(reference, {}, names);
    expect(names).toEqual(expected);
  });
});
