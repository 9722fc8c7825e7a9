import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import { conversionEntries } from '../../../../../functions/payment-service/domain/conversions/ledger-entries.ts';
import type { GroupDraft } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import {
  disbursementEntry,
  statusEntry,
} from '../../../../../functions/payment-service/domain/disbursements/ledger-entries.ts';
import { setStatusByHand } from '../../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { Entry } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { entry, gainOf, openingEntry } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { CurrencyMismatch, Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { newDisbursement, newDraft } from '../../../../support/payment-service/new-disbursement.ts';

const at = '2026-11-21T06:00:00.000Z';
const head = { id: 'one', at, currency: 'PHP' };
const gains = ({ postings }: Entry) =>
  Object.fromEntries(postings.map(({ account, amount }) => [account, amount.amount]));

const pesos = (amount: string): Money => Money.of(amount, 'PHP');
const group = (...items: readonly (readonly [amount: string, fee: string])[]): GroupDraft => ({
  rail: 'fiat',
  currency: 'PHP',
  items: items.map(([amount, fee]) => newDraft({ amount: pesos(amount), fee: pesos(fee) })),
});

const conversion: Conversion = {
  input: Money.of('10', 'usdt-tron'),
  rate: '34.18',
  converted: Money.of('341.8', 'THB'),
  fee: Money.of('1.71', 'THB'),
  total: Money.of('340.09', 'THB'),
  markupRatePercentage: '0',
};

describe('an entry of the ledger', () => {
  it.each<[string, Entry, object]>([
    [
      'an opening balance comes from the opening account',
      openingEntry(at, pesos('250')),
      { balance: '250', opening: '-250' },
    ],
    [
      'disbursements take amounts and fees',
      disbursementEntry(head, group(['100', '1.5'], ['50.25', '0'])),
      { balance: '-151.75', disbursements: '150.25', fees: '1.5' },
    ],
    [
      'a disbursement without a fee has two postings',
      disbursementEntry(head, group(['100', '0'])),
      { balance: '-100', disbursements: '100' },
    ],
    [
      'a failed disbursement gives both back',
      statusEntry(head, [setStatusByHand(newDisbursement(), 'failed', new Date(at))]),
      { balance: '110', disbursements: '-100', fees: '-10' },
    ],
    [
      'a revived disbursement takes both again',
      statusEntry(head, [setStatusByHand(newDisbursement({ status: 'failed' }), 'completed', new Date(at))]),
      { balance: '-110', disbursements: '100', fees: '10' },
    ],
    [
      'a change that moves no money has no postings',
      statusEntry(head, [setStatusByHand(newDisbursement(), 'completed', new Date(at))]),
      {},
    ],
    [
      'the input of a conversion goes to the exchange',
      conversionEntries(head, conversion).input,
      { balance: '-10', exchange: '10' },
    ],
    [
      'its output comes from the exchange, less the fee',
      conversionEntries(head, conversion).output,
      { balance: '340.09', exchange: '-341.8', fees: '1.71' },
    ],
  ])('%s', (_, made, expected) => {
    expect(gains(made)).toEqual(expected);
  });

  it('is refused when it does not add up to zero', () => {
    expect(() => entry({ ...head, kind: 'deposit' }, { deposits: pesos('-100'), balance: pesos('99') })).toThrow(
      'do not balance',
    );
  });

  it('never has amounts of another currency', () => {
    const baht = { deposits: Money.of('-100', 'THB'), balance: Money.of('100', 'THB') };
    expect(() => entry({ ...head, kind: 'deposit' }, baht)).toThrow(CurrencyMismatch);
  });

  it('balances for any disbursements, and moves the balance by their total cost', () => {
    const money = fc
      .integer({ min: 0, max: 10 ** 9 })
      .map((units) => `${Math.floor(units / 100)}.${`${units % 100}`.padStart(2, '0')}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(money, money), { minLength: 1, maxLength: 100 }), (items) => {
        const made = disbursementEntry(head, group(...items));
        const postings = made.postings.map(({ amount }) => amount);
        const costs = items.flat().map(pesos);
        expect(Money.sum<string>('PHP', postings)).toEqual(pesos('0'));
        expect(gainOf(made, 'balance').plus(Money.sum<string>('PHP', costs))).toEqual(pesos('0'));
      }),
    );
  });
});
