import * as z from 'zod';
import type { Decimal } from '../domain/money/decimal.ts';
import { canonical, isLess } from '../domain/money/decimal.ts';
import type { Money } from '../domain/money/money.ts';

/** A JSON number in its source text, so that no digit is lost in a binary fraction. */
class WireNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const revived = (value: unknown, source: string | undefined): unknown => {
  // Many serializers write an absent field as null. Undefined removes it, and is refused where a value is required.
  if (value === null) return undefined;
  if (typeof value === 'number') return new WireNumber(source ?? String(value));
  // JSON can escape half of a surrogate pair. The table accepts no such text.
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('not a text');
  return value;
};

/**
 * Parses JSON with every number as a WireNumber, and without fields that are null. Undefined when the bytes are not UTF-8 or
 * not JSON, or contain ill-formed text.
 */
export const readJson = (bytes: Uint8Array): { readonly value: unknown } | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text, (_key, value, { source }) => revived(value, source)) };
  } catch {
    return undefined;
  }
};

/** Writes an amount, rate or percentage as a JSON number with all its digits. */
export const wireNumber = (value: Money | Decimal): RawJson =>
  JSON.rawJSON(typeof value === 'string' ? canonical(value) : value.amount);

const message = 'must be a positive number';

/** Longer numbers are no amounts. A binary fraction near the smallest unit prints with at most 35 decimals. */
const plainNumber = /^\d{1,20}(\.\d{1,35})?$/;
/** At most two exponent digits, so that expanding it is cheap. The result must be a plain number again. */
const withExponent = /^\d{1,20}(\.\d{1,35})?[eE][+-]?\d{1,2}$/;
/** No currency has a smaller unit. */
const leastUnit = '0.000000000000000001';

/** A non-negative number as JSON and queries write it. Undefined for other text and for longer numbers. */
export const decimalOf = (source: string): Decimal | undefined => {
  if (!plainNumber.test(source) && !withExponent.test(source)) return undefined;
  const value = canonical(source);
  return plainNumber.test(value) ? value : undefined;
};

const positiveDecimal = (source: string, context: z.RefinementCtx): Decimal => {
  const amount = decimalOf(source);
  if (amount !== undefined && !isLess(amount, leastUnit)) return amount;
  context.addIssue({ code: 'custom', message: Number(source) >= 1e20 ? 'must be below 1e20' : message });
  return z.NEVER;
};

/** OpenAPI's description of a requested amount. */
const positiveNumber = { wire: { type: 'number', minimum: 1e-18, exclusiveMaximum: 1e20 } } as const;

/** A positive amount in a body. It must be a JSON number, not a string. */
export const wireAmount = z
  .instanceof(WireNumber, { error: message })
  .meta(positiveNumber)
  .transform((number, context) => positiveDecimal(number.source, context));

/** A positive amount in a query. */
export const queryAmount = z.string({ error: 'is required' }).meta(positiveNumber).transform(positiveDecimal);

/** A number in an answer, written by `wireNumber`. */
export const shownNumber = z.custom<RawJson>().meta({ wire: { type: 'number' } });

/** A whole number between two bounds of at most 15 digits. Not for amounts. */
export const wireInteger = (least: number, most: number) =>
  z
    .instanceof(WireNumber, { error: 'must be a whole number' })
    .meta({ wire: { type: 'integer', minimum: least, maximum: most } })
    .transform(({ source }, context) => {
      // JSON Schema counts `1.0` as a whole number too.
      const value = /^-?\d{1,15}(\.0{1,15})?$/.test(source) ? Number.parseInt(source, 10) : Number.NaN;
      if (value >= least && value <= most) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${most}` });
      return z.NEVER;
    });
