import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import { conversionEntries } from '../../../../../functions/payment-service/domain/conversions/entries.ts';
import {
  disbursementEntry,
  statusEntry,
} from '../../../../../functions/payment-service/domain/disbursements/entries.ts';
import { setStatusByHand } from '../../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { Entry } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { entry, gainOf, openingEntry } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { add, sum } from '../../../../../functions/payment-service/domain/money/money.ts';
import { newDisbursement } from '../../../../support/payment-service/new-disbursement.ts';

const at = '2026-11-21T06:00:00.000Z';
const head = { id: 'one', at, currency: 'PHP' };
const gains = ({ postings }: Entry) => Object.fromEntries(postings.map(({ account, amount }) => [account, amount]));

const conversion: Conversion = {
  inputCurrency: 'usdt-tron',
  inputAmount: '10',
  outputCurrency: 'THB',
  rate: '34.18',
  convertedAmount: '341.8',
  fee: '1.71',
  totalConvertedAmount: '340.09',
  markupRatePercentage: '0',
};

describe('an entry of the ledger', () => {
  it.each<[string, Entry, object]>([
    [
      'an opening balance comes from the opening account',
      openingEntry(head, '250'),
      { balance: '250', opening: '-250' },
    ],
    [
      'disbursements take amounts and fees',
      disbursementEntry(head, [
        { amount: '100', fee: '1.5' },
        { amount: '50.25', fee: '0' },
      ]),
      { balance: '-151.75', disbursements: '150.25', fees: '1.5' },
    ],
    [
      'a disbursement without a fee has two postings',
      disbursementEntry(head, [{ amount: '100', fee: '0' }]),
      { balance: '-100', disbursements: '100' },
    ],
    [
      'a failed disbursement gives both back',
      statusEntry(head, [setStatusByHand(newDisbursement(), 'failed', new Date(at))]),
      { balance: '110', disbursements: '-100', fees: '-10' },
    ],
    [
      'a failed one that is taken up again takes both again',
      statusEntry(head, [setStatusByHand(newDisbursement({ status: 'failed' }), 'completed', new Date(at))]),
      { balance: '-110', disbursements: '100', fees: '10' },
    ],
    [
      'a change that moves no money has no postings',
      statusEntry(head, [setStatusByHand(newDisbursement(), 'completed', new Date(at))]),
      {},
    ],
    [
      'the input of a conversion goes to the exchange desk',
      conversionEntries(head, conversion).input,
      { balance: '-10', exchange: '10' },
    ],
    [
      'its output comes from there, less the fee',
      conversionEntries(head, conversion).output,
      { balance: '340.09', exchange: '-341.8', fees: '1.71' },
    ],
  ])('%s', (_, made, expected) => {
    expect(gains(made)).toEqual(expected);
  });

  it('that does not add up to nothing is never made', () => {
    expect(() => entry({ ...head, kind: 'deposit' }, { deposits: '-100', balance: '99' })).toThrow('do not balance');
  });

  it('of any disbursements balances, and moves the balance by what all of them cost', () => {
    const money = fc
      .integer({ min: 0, max: 10 ** 9 })
      .map((units) => `${Math.floor(units / 100)}.${`${units % 100}`.padStart(2, '0')}`);
    fc.assert(
      fc.property(fc.array(fc.record({ amount: money, fee: money }), { minLength: 1, maxLength: 100 }), (items) => {
        const made = disbursementEntry(head, items);
        expect(sum(made.postings.map(({ amount }) => amount))).toBe('0');
        expect(add(gainOf(made, 'balance'), sum(items.flatMap(({ amount, fee }) => [amount, fee])))).toBe('0');
      }),
    );
  });
});
