import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactDecimal } from '../../../../functions/provider/exact-decimal.ts';
import { JsonNumber, parseJsonBySource } from '../../../../functions/provider/transport/json-by-source.ts';
import { decimal, integer } from '../../../../functions/provider/wire-values.ts';

describe('a JSON number', () => {
  it.each([
    ['1e-7', '0.0000001'],
    ['1E+3', '1000'],
    ['10.50', '10.5'],
    ['-0', '0'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['123456789012345678901234567890.123456789012345678', '123456789012345678901234567890.123456789012345678'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is read as %s', (source, exact) => {
    expect(decimal().parse(parseJsonBySource(source))).toBe(exact);
  });

  it.each(['1e101', '1e-101', '1e999999999', '9'.repeat(101)])('of excessive length is refused: %s', (source) => {
    expect(decimal().safeParse(parseJsonBySource(source)).success).toBe(false);
  });

  it('survives a round trip with 18 decimals, in any notation', () => {
    const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const notation = fc.constantFrom('plain', 'exponent');
    fc.assert(
      fc.property(units, notation, (value, written) => {
        const exact = new Big(`${value}e-18`);
        const source = written === 'plain' ? exact.toFixed() : exact.toExponential();
        const sent = JSON.stringify({ amount: JSON.rawJSON(source) });
        const read = parseJsonBySource(sent);
        expect(read).toEqual({ amount: new JsonNumber(source) });
        expect(exactDecimal(source)).toBe(exact.eq(0) ? '0' : exact.toFixed());
      }),
    );
  });

  it('is not text, and text is not a whole number', () => {
    expect(parseJsonBySource('{"a":1,"b":"1"}')).toEqual({ a: new JsonNumber('1'), b: '1' });
    expect(integer().safeParse('1').success).toBe(false);
    expect(integer().parse(new JsonNumber('1.0'))).toBe(1);
    expect(integer().safeParse(new JsonNumber('1.5')).success).toBe(false);
  });
});
