import { expect, it } from 'vitest';
import { groupItem } from '../../../../../functions/payment-service/store/disbursements/disbursement-item.ts';

const stored = {
  state: 'committed',
  groupId: 'grp_1',
  accountId: 'merchant',
  rail: 'crypto',
  currency: 'usdc-polygon',
  count: 1,
  listNumber: 1,
  changeNumber: 1,
  balanceBefore: '100',
  createdAt: '2026-11-21T06:00:00.000Z',
};

it.each([
  ['that is indexed', { isIndexed: true }, true],
  ['that was indexed when the attribute was named isFiled', { isFiled: true }, true],
  ['that is not indexed yet', {}, undefined],
])('a group %s is read as such', (_, attributes, isIndexed) => {
  const group = groupItem.parse({ ...stored, ...attributes });
  expect(group).toMatchObject({ state: 'committed', isIndexed });
  expect(group).not.toHaveProperty('isFiled');
});
