import { expect, it } from 'vitest';
import { readSettlementMessage } from '../../../../functions/payment-service/settlement/message.ts';

const postedAt = '2026-11-21T06:00:00.000Z';

it.each([
  ['a group', { kind: 'group', groupId: 'grp_1', accountId: 'm', postedAt }, 'group'],
  ['a group, as it was told before there were deposits', { groupId: 'grp_1', accountId: 'm', postedAt }, 'group'],
  ['a deposit', { kind: 'deposit', depositId: 'dep_1', accountId: 'm', postedAt }, 'deposit'],
])('a message about %s is read', (_, message, kind) => {
  expect(readSettlementMessage(JSON.stringify(message))).toEqual({ ...message, kind });
});

it('a message about anything else is an error', () => {
  expect(() => readSettlementMessage(JSON.stringify({ kind: 'refund', accountId: 'm', postedAt }))).toThrow();
});
