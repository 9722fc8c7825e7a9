import { expect, it } from 'vitest';
import {
  disbursementIdAt,
  groupIdFrom,
  placeOf,
} from '../../../../../functions/payment-service/domain/disbursements/disbursement-id.ts';

const groupId = groupIdFrom('0123456789abcdef01234567');

it.each([0, 7, 99])('position %i of a group can be read from the id', (position) => {
  expect(placeOf(disbursementIdAt(groupId, position))).toEqual({ groupId, position });
});

it.each(['', 'PAY-1', 'dsb_1', `${disbursementIdAt(groupId, 1)}0`, groupId])('%j is not an id', (text) => {
  expect(placeOf(text)).toBeUndefined();
});

it('an id contains exactly three digits of position', () => {
  expect(() => disbursementIdAt(groupId, 1000)).toThrow('not a position');
});
