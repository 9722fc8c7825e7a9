import { expect, it } from 'vitest';
import { delaySeconds, readSettlementMessage } from '../../../../functions/payment-service/store/settlement-queue.ts';

const postedAt = '2026-11-21T06:00:00.000Z';

it.each([
  ['a group', { kind: 'group', groupId: 'grp_1', accountId: 'm', postedAt }, 'group'],
  ['a group, from before deposits existed', { groupId: 'grp_1', accountId: 'm', postedAt }, 'group'],
  ['a deposit', { kind: 'deposit', depositId: 'dep_1', accountId: 'm', postedAt }, 'deposit'],
])('a message about %s is read', (_, message, kind) => {
  expect(readSettlementMessage(JSON.stringify(message))).toEqual({ ...message, kind });
});

it('a message about anything else is an error', () => {
  expect(() => readSettlementMessage(JSON.stringify({ kind: 'refund', accountId: 'm', postedAt }))).toThrow();
});

it.each([
  [0, 0],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [-5, 0],
  [10_000_000, 900],
])('a moment in %i ms means a delay of %i s', (ahead, seconds) => {
  const now = new Date(postedAt);
  expect(delaySeconds(now, now.getTime() + ahead)).toBe(seconds);
});
