import { describe, expect, it } from 'vitest';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import {
  isRetry,
  isRetryable,
  isTooLong,
  mayBePaid,
  originalsOf,
  retryReference,
} from '../../../../functions/domain/payout/retries.ts';

const long = 'x'.repeat(64);

describe('the reference of a retry', () => {
  it('continues from a retry in capitals', () => {
    expect(retryReference('INV-7.R1')).toBe('INV-7.r2');
  });

  it.each([
    ['INV-7', 'INV-7.r1'],
    ['INV-7.r1', 'INV-7.r2'],
    ['INV-7.r9', 'INV-7.r10'],
    [long, `${long}.r1`],
  ])('of %s is %s, and shows its payout', (old, next) => {
    expect(retryReference(old)).toBe(next);
    expect(isRetry(next)).toBe(true);
    expect(originalsOf(next).at(-1)).toBe(old);
    expect(isTooLong(next)).toBe(false);
  });

  it.each([
    ['INV-7', []],
    ['INV-7.r1', ['INV-7']],
    ['INV-7.R3', ['INV-7', 'INV-7.r1', 'INV-7.r2']],
    ['INV-7.r0', []],
    ['INV-7.r01', []],
    ['INV-7.r1x', []],
    ['INV-7.r1000', []],
    ['A\nINV-7.r1', []],
    ['.r1', []],
  ])('%s comes after %o', (reference, originals) => {
    expect(originalsOf(reference)).toEqual(originals);
    expect(isRetry(reference)).toBe(originals.length > 0);
  });

  it('may be longer than a file’s own', () => {
    expect([`${long}.r1`, `${long}.r999`, `${long}x`, `${long}x.r1`].map(isTooLong)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('a payout', () => {
  /** Whether its recipient may have or get the money, and if not, whether the retry file has it. */
  const expectedOf: Readonly<Record<PayoutStatus, 'may be paid' | 'retried' | 'left out' | 'not submitted yet'>> = {
    ready: 'not submitted yet',
    submitting: 'may be paid',
    pending: 'may be paid',
    on_hold: 'may be paid',
    unknown: 'may be paid',
    quarantined: 'may be paid',
    completed: 'may be paid',
    failed: 'retried',
    canceled: 'left out',
    rejected: 'retried',
  };

  it.each(payoutStatuses)('that is %s is retried only if it cannot be paid anymore', (status) => {
    expect(mayBePaid({ status })).toBe(expectedOf[status] === 'may be paid');
    expect(isRetryable({ status })).toBe(expectedOf[status] === 'retried');
  });
});
