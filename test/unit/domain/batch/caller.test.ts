import { describe, expect, it } from 'vitest';
import { consoleCaller, isAmong, mayDecideOn } from '../../../../functions/domain/batch/caller.ts';

const user = 'arn:aws:iam::123456789012:user/payroll';
const session = (role: string, name: string): string => `arn:aws:sts::123456789012:assumed-role/${role}/${name}`;
const federated = 'arn:aws:sts::123456789012:federated-user/anybody';

describe('a caller’s identity', () => {
  it.each([
    ['two users', user, 'arn:aws:iam::123456789012:user/treasurer', true],
    ['a user and a role', user, session('Treasury', 'a'), true],
    ['two roles', session('Payroll', 'a'), session('Treasury', 'a'), true],
    ['one user', user, user, false],
    ['two sessions of one role', session('Payroll', 'morning'), session('Payroll', 'evening'), false],
    ['a federated session, which its creator names', user, federated, false],
    ['no known person', user, 'unknown', false],
  ])('shows whether two callers are two persons: %s', (_, one, other, areTwo) => {
    expect([mayDecideOn(one, other), mayDecideOn(other, one)]).toEqual([areTwo, areTwo]);
  });

  it.each([
    ['a user', user, true],
    ['a role', session('Treasury', 'a'), true],
    ['a federated session', federated, false],
    ['no known person', 'unknown', false],
    ['the console itself', consoleCaller, false],
  ])('shows whether %s may decide on batches of the console', (_, caller, may) => {
    expect(mayDecideOn(caller, consoleCaller)).toBe(may);
  });

  it.each([
    ['a user', user, [user], true],
    [
      'a role, by its own ARN and path',
      session('Treasury', 'a'),
      ['arn:aws:iam::123456789012:role/money/Treasury'],
      true,
    ],
    ['a role, by its sessions’ ARN', session('Treasury', 'a'), [session('Treasury', 'b')], true],
    ['one of several', user, [session('Treasury', 'a'), user], true],
    ['another role', session('Treasury2', 'a'), ['arn:aws:iam::123456789012:role/Treasury'], false],
    ['a role of another account', session('Treasury', 'a'), ['arn:aws:iam::999999999999:role/Treasury'], false],
  ])('is looked for among the approvers: %s', (_, caller, principals, isOne) => {
    expect(isAmong(caller, principals)).toBe(isOne);
  });
});
