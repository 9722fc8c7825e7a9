import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CurrencyMismatch } from '../../../../functions/domain/errors.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { addUp } from '../../../../functions/ledger/payouts/adding-up.ts';
import { runs } from '../../../support/fast-loop.ts';

const eth = (amount: string) => Money.of(amount, 'eth-ethereum');
const addUpEth = (payouts: readonly Payout[]) => addUp('eth-ethereum', payouts);

const payoutOf = (changes: Partial<Payout>): Payout => ({
  batchId: 'b',
  chunk: 1,
  row: 1,
  reference: 'r',
  rail: 'crypto',
  amount: eth('1'),
  destinationHash: 'h',
  status: 'ready',
  updatedAt: 't',
  ...changes,
});

/** An integer of the smallest unit (18 decimals) as a decimal text, and back: an independent way to sum. */
const asText = (units: bigint): string => `${units / 10n ** 18n}.${(units % 10n ** 18n).toString().padStart(18, '0')}`;
const asUnits = (text: string): bigint => {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * 10n ** 18n + BigInt(decimals.padEnd(18, '0'));
};

describe('summing payouts', () => {
  it('of none is empty', () => {
    expect(addUpEth([])).toEqual({
      tallies: {},
      proofs: 0,
      waitingSince: {},
      contradictions: { recorded: 0, payouts: 0 },
    });
  });

  it('loses no decimal, no payout and no fee', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 40n });
    const one = fc.record({ units, fee: units, status: fc.constantFrom(...payoutStatuses) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 98 }), (rows) => {
        const { tallies } = addUpEth(
          rows.map(({ units: amount, fee, status }) =>
            payoutOf({ amount: eth(asText(amount)), fee: eth(asText(fee)), status }),
          ),
        );
        for (const status of payoutStatuses) {
          const some = rows.filter((row) => row.status === status);
          const tally = tallies[status];
          expect(tally?.count ?? 0).toBe(some.length);
          expect(asUnits(tally?.amount.amount ?? '0')).toBe(some.reduce((sum, row) => sum + row.units, 0n));
          expect(asUnits(tally?.fee.amount ?? '0')).toBe(some.reduce((sum, row) => sum + row.fee, 0n));
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('mixes no currencies', () => {
    expect(() => addUp('IDR', [payoutOf({})])).toThrow(CurrencyMismatch);
  });

  it('writes small and large sums without exponent', () => {
    const tiny = addUpEth([payoutOf({ amount: eth('0.000000000000000001') })]).tallies.ready;
    const huge = addUpEth([payoutOf({ amount: eth('1000000000000000000000000000000') })]).tallies.ready;
    expect([tiny?.amount.amount, huge?.amount.amount]).toEqual([
      '0.000000000000000001',
      '1000000000000000000000000000000',
    ]);
  });

  it('counts the bank transfers that never get a proof: their money came back, or a person vouched for them', () => {
    const cameBack = { code: 'changed_after_end', disbursementId: 'd', observed: 'failed', at: 't' } as const;
    const usedTwice = { ...cameBack, code: 'reference_used_twice' };
    const vouchedFor = { rail: 'fiat', status: 'completed' } as const;
    const completed = { ...vouchedFor, disbursementId: 'd' };
    const { withoutProof } = addUpEth([
      payoutOf({ ...completed, contradictions: [cameBack] }),
      payoutOf({ ...completed, contradictions: [cameBack], proof: { key: 'k', sha256: 's', bytes: 1 } }),
      payoutOf({ ...completed, contradictions: [usedTwice] }),
      payoutOf({ ...completed, rail: 'crypto', contradictions: [cameBack] }),
      payoutOf({ ...completed, status: 'failed', contradictions: [cameBack] }),
      payoutOf(vouchedFor),
      payoutOf({ ...vouchedFor, contradictions: [cameBack] }),
      payoutOf({ ...vouchedFor, rail: 'crypto' }),
      payoutOf({ ...vouchedFor, status: 'pending' }),
    ]).contradictions;
    expect(withoutProof).toBe(3);
  });

  it('shows since when the oldest is on hold, and the newest', () => {
    const held = (at: string, changes = {}) => payoutOf({ status: 'on_hold', statusSince: at, ...changes });
    const others = [payoutOf({ status: 'pending', statusSince: 't9' })];
    expect(addUpEth([held('t2'), held('t1'), held('t3'), ...others])).toMatchObject({
      waitingSince: { on_hold: 't1', pending: 't9' },
      lastHeldAt: 't3',
    });
    expect(addUpEth(others)).not.toHaveProperty('lastHeldAt');
  });

  it('counts the given-up proofs', () => {
    const tried = { rail: 'fiat', status: 'completed', disbursementId: 'd', proofTries: 1000 } as const;
    expect(addUpEth([payoutOf(tried), payoutOf({ ...tried, proofTries: 1 })]).proofsGivenUp).toBe(1);
  });

  it('counts archived proofs', () => {
    const proof = { key: 'k', sha256: 's', bytes: 1 };
    expect(addUpEth([payoutOf({ proof }), payoutOf({}), payoutOf({ proof })]).proofs).toBe(2);
  });
});
