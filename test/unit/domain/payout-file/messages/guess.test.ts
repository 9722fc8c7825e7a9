import { describe, expect, it } from 'vitest';
import { columnMeant } from '../../../../../functions/domain/payout-file/messages/columns.ts';
import { guess } from '../../../../../functions/domain/payout-file/messages/guess.ts';

describe('a guess', () => {
  it.each([
    ['a letter too many', 'ammount', 'amount'],
    ['a letter missing', 'curency', 'currency'],
    ['two letters that changed places', 'amuont', 'amount'],
    ['letter case and spaces', 'BANK code', 'bankCode'],
    ['another program’s name', 'IBAN', 'accountNumber'],
    ['a short name of it', 'ref no.', 'reference'],
    ['nothing that is near', 'department', undefined],
    ['a name of a prototype', 'constructor', undefined],
    ['nothing', '', undefined],
  ])('for %s: "%s" means %s', (_, name, column) => {
    expect(columnMeant(name)).toBe(column);
  });

  it('is not made between two equally near words', () => {
    expect(guess('bda', ['bca', 'bba', 'mandiri'])).toBeUndefined();
  });
});
