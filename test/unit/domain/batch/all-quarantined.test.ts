import { describe, expect, it } from 'vitest';
import { countQuarantined, findAllQuarantined } from '../../../../functions/domain/batch/all-quarantined.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { tally } from '../../../support/money.ts';

const counted = (currency: string, counts: Partial<Record<PayoutStatus, number>>) => ({
  currency,
  tallies: Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [status, tally(count, '1', '0', currency)]),
  ),
});

describe('payouts that are all quarantined', () => {
  it.each<[string, Partial<Record<PayoutStatus, number>>, boolean]>([
    ['three, and nothing else', { quarantined: 3 }, true],
    ['three, and others that wait', { quarantined: 3, ready: 9, submitting: 2, unknown: 1 }, true],
    ['three, and others that the provider refused', { quarantined: 3, rejected: 5 }, true],
    ['two', { quarantined: 2, ready: 9 }, false],
    ['three, and one with the provider', { quarantined: 3, pending: 1 }, false],
    ['three, and one on hold', { quarantined: 3, on_hold: 1 }, false],
    ['three, and one that is completed', { quarantined: 3, completed: 1 }, false],
    ['three, and one that the provider ended otherwise', { quarantined: 3, failed: 1 }, false],
  ])('are found of a currency with %s: %s', (_, counts, isFound) => {
    const expected = isFound ? { currency: 'IDR', quarantined: 3 } : undefined;
    expect(findAllQuarantined({}, [counted('IDR', counts)])).toEqual(expected);
  });

  it('are judged by currency, over all chunks', () => {
    const fine = counted('PHP', { completed: 5 });
    const [two, one] = [counted('IDR', { quarantined: 2 }), counted('IDR', { quarantined: 1 })];
    expect(findAllQuarantined({}, [fine, two, one])).toEqual({ currency: 'IDR', quarantined: 3 });
    expect(findAllQuarantined({}, [fine, two, counted('IDR', { quarantined: 1, pending: 1 })])).toBeUndefined();
  });

  it('count no more once a person has acknowledged them, in their currency', () => {
    const acknowledgedQuarantined = countQuarantined([counted('IDR', { quarantined: 3, ready: 9 })]);
    expect(acknowledgedQuarantined).toEqual({ IDR: 3 });
    const find = (...all: Parameters<typeof findAllQuarantined>[1]) =>
      findAllQuarantined({ acknowledgedQuarantined }, all);
    expect(find(counted('IDR', { quarantined: 5 }))).toBeUndefined();
    expect(find(counted('IDR', { quarantined: 6 }))).toMatchObject({ quarantined: 6 });
    const getsThrough = counted('PHP', { quarantined: 3, completed: 900 });
    expect(find(counted('IDR', { quarantined: 3 }), getsThrough)).toBeUndefined();
    expect(find(counted('IDR', { quarantined: 3 }), counted('PHP', { quarantined: 3 }))).toMatchObject({
      currency: 'PHP',
    });
  });

  it('are not joined by those that the provider refuses later', () => {
    const acknowledgedQuarantined = countQuarantined([counted('IDR', { quarantined: 3, rejected: 5 })]);
    expect(acknowledgedQuarantined).toEqual({ IDR: 3 });
    const refused = counted('IDR', { quarantined: 3, rejected: 40 });
    expect(findAllQuarantined({ acknowledgedQuarantined }, [refused])).toBeUndefined();
  });
});
