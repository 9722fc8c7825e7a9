import { describe, expect, it } from 'vitest';
import { isInterimDue } from '../../../../functions/domain/payout/polling.ts';
import { minute } from '../../../support/durations.ts';

describe('interim reports', () => {
  it.each([
    { case: 'the first', submitted: 0, last: undefined, now: 1, due: true },
    { case: 'a minute after the first of a batch two minutes old', submitted: 0, last: 1, now: 2, due: true },
    {
      case: 'five minutes after the last one, a day after submitting',
      submitted: 0,
      last: 1435,
      now: 1440,
      due: false,
    },
    {
      case: 'a tenth of a day after the last one, a day after submitting',
      submitted: 0,
      last: 1296,
      now: 1440,
      due: true,
    },
    { case: 'soon after the batch has submitted again', submitted: 1438, last: 1435, now: 1440, due: true },
  ])('$case: due is $due', ({ submitted, last, now, due }) => {
    const lastMs = last === undefined ? undefined : last * minute;
    expect(isInterimDue(now * minute, submitted * minute, lastMs)).toBe(due);
  });
});
