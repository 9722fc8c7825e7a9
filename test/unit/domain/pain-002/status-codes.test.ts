import { describe, expect, it } from 'vitest';
import { statusOfPayout } from '../../../../functions/domain/pain-002/status-codes.ts';
import type { Contradiction } from '../../../../functions/domain/payout/payout.ts';
import { changedAfterEndCode, usedTwiceCode } from '../../../../functions/domain/payout/payout.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { isEnd, payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { isRetryable, writtenOffCode } from '../../../../functions/domain/payout/retries.ts';

const contradicted = (code: string): readonly Contradiction[] => [
  { code, disbursementId: 'd-1', observed: 'completed', at: '2026-11-21T08:00:00Z' },
];

describe('the status for a payer’s system', () => {
  /** The payer's system pays a rejected transaction again. */
  const expectedOf: Readonly<Record<PayoutStatus, string>> = {
    ready: 'PDNG',
    submitting: 'PDNG',
    pending: 'PDNG',
    on_hold: 'PDNG',
    unknown: 'PDNG',
    quarantined: 'PDNG',
    completed: 'ACSC',
    failed: 'RJCT',
    canceled: 'RJCT',
    rejected: 'RJCT',
  };

  it.each(payoutStatuses)('of a payout that is %s is the expected one', (status) => {
    expect(statusOfPayout({ status }).status).toBe(expectedOf[status]);
  });

  it.each(payoutStatuses.filter(isEnd))('is never an end of what is %s and contradicted', (status) => {
    expect(statusOfPayout({ status, contradictions: contradicted(changedAfterEndCode) })).toMatchObject({
      status: 'PDNG',
      reason: { code: 'contradicted' },
    });
  });

  it('is that of a payment even when another disbursement has its reference', () => {
    expect(statusOfPayout({ status: 'completed', contradictions: contradicted(usedTwiceCode) }).status).toBe('ACSC');
  });

  it('is pending for a written-off payout, because it may have been paid', () => {
    expect(statusOfPayout({ status: 'failed', reason: { code: writtenOffCode, message: 'Given up.' } }).status).toBe(
      'PDNG',
    );
  });

  it.each(payoutStatuses.filter((status) => isRetryable({ status })))(
    'is a rejection for a %s payout, which may be tried again',
    (status) => {
      expect(statusOfPayout({ status }).status).toBe('RJCT');
    },
  );
});
