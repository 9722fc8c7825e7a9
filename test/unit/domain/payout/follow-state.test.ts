import { expect, it } from 'vitest';
import { nextRound, roundId } from '../../../../functions/domain/payout/follow-state.ts';

it.each([
  [1, 0, undefined, 1],
  [1, 1, roundId(1, 1), 2],
  [1, 0, roundId(1, 3), 4],
  [1, 3, roundId(1, 2), 4],
  [2, 0, roundId(1, 7), 1],
  [1, 0, roundId(2, 7), 1],
])(
  'the round of execution %i after %i, when %s was the last to end, is %i',
  (execution, round, endedRound, expected) => {
    expect(nextRound(execution, round, endedRound)).toBe(expected);
  },
);

it('rounds sort as they follow each other', () => {
  const rounds = [roundId(1, 9), roundId(1, 10), roundId(2, 1), roundId(10, 1)];
  expect([...new Set(rounds)].toSorted()).toEqual(rounds);
});
