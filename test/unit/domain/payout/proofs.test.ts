import { describe, expect, it } from 'vitest';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import {
  isProofGivenUp,
  lacksAllProofs,
  lacksProof,
  proofIsDueAt,
  proofsDue,
} from '../../../../functions/domain/payout/proofs.ts';
import { addUp } from '../../../../functions/ledger/payouts/adding-up.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { payout } from '../../payouts/example.ts';

const completed: Payout = { ...payout, status: 'completed' };
const { disbursementId: _known, ...vouchedFor } = completed;
const proof = { key: 'k', sha256: 's', bytes: 1 };
const contradiction = { code: 'changed_after_end', disbursementId: 'd-7', observed: 'failed', at: 't' } as const;

describe('whether a provider lacks all proofs that are archived', () => {
  const rail = { referenceUniqueHours: 0, hiddenHours: 24 } as const;
  it.each([
    ['when the provider gives some of bank transfers', true, false, false],
    ['when it gives none', false, false, true],
    ['when it gives some of crypto payouts only, because those are not archived', false, true, true],
  ])('%s: fiat %s, crypto %s: %s', (_name, fiat, crypto, expected) => {
    const rails = { fiat: { ...rail, hasProofs: fiat }, crypto: { ...rail, hasProofs: crypto } };
    expect(lacksAllProofs({ rails })).toBe(expected);
  });
});

describe('a missing proof', () => {
  it.each<[string, Partial<Payout>, boolean]>([
    ['of a completed bank transfer', {}, true],
    ['after failed requests', { proofTries: 9 }, true],
    ['not of one that has it', { proof }, false],
    ['not of crypto', { rail: 'crypto' }, false],
    ['not of one under way', { status: 'pending' }, false],
    ['not of one whose money came back', { contradictions: [contradiction] }, false],
    [
      'of one that has a second beside it',
      { contradictions: [{ ...contradiction, code: 'reference_used_twice' }] },
      true,
    ],
  ])('%s', (_name, changes, expected) => {
    expect(lacksProof({ ...completed, ...changes })).toBe(expected);
  });

  it('not of one that a person vouched for without a disbursement', () => {
    expect(lacksProof(vouchedFor)).toBe(false);
    expect(isProofGivenUp({ ...vouchedFor, proofTries: 6 })).toBe(false);
  });

  it.each([
    [5, false],
    [6, true],
    [7, true],
  ])('is given up after %i attempts: %s', (proofTries, expected) => {
    expect(isProofGivenUp({ ...completed, proofTries })).toBe(expected);
    expect(isProofGivenUp({ ...completed, proofTries, proof })).toBe(false);
  });
});

it('a proof may be requested immediately, then 5, 10, 20, 40 and 80 s after the last attempt', () => {
  const settings = { pollFirstSeconds: 5 };
  const waits = [1, 2, 3, 4, 5].map(
    (proofTries) => (proofIsDueAt({ ...completed, proofTries }, settings) - Date.parse(completed.updatedAt)) / 1000,
  );
  expect(proofIsDueAt(completed, settings)).toBe(0);
  expect(waits).toEqual([5, 10, 20, 40, 80]);
});

describe('the proofs of a chunk that are due', () => {
  const recordOf = (payouts: readonly Payout[], changes: Partial<ChunkRecord> = {}): ChunkRecord =>
    exampleChunk('b-1', { ...addUp(completed.amount.currency, payouts), ...changes });

  it('are those of payouts that lack one and are not given up', () => {
    const payouts: readonly Payout[] = [
      completed,
      { ...completed, proof },
      { ...completed, proofTries: 6 },
      { ...completed, proofTries: 2 },
      { ...completed, contradictions: [contradiction] },
      { ...completed, contradictions: [contradiction], proofTries: 6 },
      { ...completed, contradictions: [contradiction], proof },
      vouchedFor,
      { ...vouchedFor, proofTries: 6 },
      { ...completed, status: 'failed' },
    ];
    const record = recordOf(payouts);
    expect(proofsDue(record, false)).toBe(payouts.filter((one) => lacksProof(one) && !isProofGivenUp(one)).length);
    expect(proofsDue(record, true)).toBe(payouts.filter(lacksProof).length);
    expect(proofsDue(record, false)).toBe(2);
  });

  it('are none for crypto', () => {
    expect(proofsDue(recordOf([{ ...completed, rail: 'crypto' }], { rail: 'crypto' }), true)).toBe(0);
  });
});
