import { expect, it } from 'vitest';
import {
  disbursementIdAt,
  groupIdFrom,
  placeOf,
} from '../../../../../functions/payment-service/domain/disbursements/disbursement-id.ts';

const groupId = groupIdFrom('0123456789abcdef01234567');

it.each([0, 7, 99])('place %i of a group is found again from the id', (position) => {
  expect(placeOf(disbursementIdAt(groupId, position))).toEqual({ groupId, position });
});

it.each(['', 'PAY-1', 'dsb_1', `${disbursementIdAt(groupId, 1)}0`, groupId])('%j is no id', (text) => {
  expect(placeOf(text)).toBeUndefined();
});

it('an id holds three digits of place, and no more', () => {
  expect(() => disbursementIdAt(groupId, 1000)).toThrow('not a place');
});
