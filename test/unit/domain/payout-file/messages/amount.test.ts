import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fractionDigits, parseAmount } from '../../../../../functions/domain/money/decimal.ts';
import { amountProblem, tooManyDecimals } from '../../../../../functions/domain/payout-file/messages/amount.ts';
import { drawsAll, runs } from '../../../../support/fast-loop.ts';

describe('the suggestion for an amount', () => {
  const pieces = fc.constantFrom(
    '1',
    '20',
    '250',
    '000',
    '5',
    '.',
    ',',
    ' ',
    "'",
    '٥',
    'Rp ',
    ' IDR',
    'k',
    '-',
    '“',
    '%',
  );
  const written = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('').trim());

  it('keeps the digits in their order, with no more decimals than the currency', () => {
    let offers = 0;
    fc.assert(
      fc.property(written, fc.constantFrom(0, 2, 6), (text, decimals) => {
        const [, message] = amountProblem(text, decimals);
        for (const [, amount = ''] of message.matchAll(/(?:Write|write) (\d[\d.]*)(?= |\.$|\. )/g)) {
          offers++;
          expect(parseAmount(amount)).toBeDefined();
          expect(fractionDigits(amount)).toBeLessThanOrEqual(decimals);
          const digits = text.replaceAll('٥', '5').replaceAll(/\D/g, '');
          expect(amount.replaceAll('.', '').replace(/^0+/, '')).toBe(digits.replace(/^0+/, ''));
        }
      }),
      { numRuns: runs(5000) },
    );
    if (drawsAll) expect(offers).toBeGreaterThan(100);
  });

  it.each(['1,5 jt', '10 mio', '5rb', '1.5m', '2k', '1250 50', '1.250.00', '1,25,000', '1.250,000.00', '(50000)'])(
    'is missing when %s may mean several amounts, or none',
    (text) => {
      expect(amountProblem(text, 2)[1]).not.toMatch(/[Ww]rite \d/);
    },
  );

  it.each([
    '123456789012',
    '1234-5678-9012',
    '1234 5678 9012',
    '1234_5678_9012',
    '1234/5678/9012',
    '123.456.7890',
    '1234567.8901',
    '001.234.567.890',
    '001-234-567',
    '0012-01-001234-56-7',
    'Rp 123.456.7890',
    '١٢٣٤-٥٦٧٨-٩٠١٢',
    '1.23456789e+12',
  ])('is missing for %s, which is not shown either, as it may be an account number', (text) => {
    for (const problem of [amountProblem(text, 2)[1], tooManyDecimals(text, 'IDR', 2)])
      expect(
        problem.replace('such as 1250.50', '').replace(/^The amount has \d+ decimals; IDR has 2\./, ''),
      ).not.toMatch(/\p{Nd}/u);
  });

  it.each([
    ['1.250.000', '1250000'],
    ['1.250.000.000', '1250000000'],
    ['1,250,000,000', '1250000000'],
    ["1'250'000'000", '1250000000'],
    ['Rp 1.250.000.000,50', '1250000000.50'],
    ['١٬٢٥٠٬٠٠٠٬٠٠٠', '1250000000'],
    ['12345678,50', '12345678.50'],
    ['USD 123456789.50', '123456789.50'],
  ])('exists for %s, which looks like an amount: %s', (text, amount) => {
    const [, message] = amountProblem(text, 2);
    expect(message).toContain(`\`${text}\``);
    expect(message).toContain(`Write ${amount} `);
  });

  it('is missing for an amount of an unknown currency, which may be anything', () => {
    expect(amountProblem('1.250.000', undefined)[1]).not.toContain('1.250');
  });
});
