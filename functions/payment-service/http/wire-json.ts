import * as z from 'zod';
import type { Decimal } from '../domain/money/money.ts';
import { canonical, isPositive } from '../domain/money/money.ts';

/** A JSON number as it was written, so that no digit is lost in a binary fraction. */
export class WireNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

function revived(value: unknown, source: string | undefined): unknown {
  if (typeof value === 'number') return new WireNumber(source ?? String(value));
  // Half a character can be escaped in JSON; the table takes none, and no text has one.
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('not a text');
  return value;
}

/** Reads JSON with every number as a WireNumber. Undefined when it is not JSON, or holds what is no text. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text, (_key, value, { source }) => revived(value, source)) };
  } catch {
    return undefined;
  }
}

/** The same of the bytes of a body, which are UTF-8 when they are JSON. */
export function readJsonBody(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Writes a decimal as a JSON number with all its digits. */
export const wireNumber = (value: Decimal): RawJson => JSON.rawJSON(canonical(value));

const message = 'must be a positive number';

/** Longer numbers are amounts of nothing. */
const plainNumber = /^\d{1,20}(\.\d{1,30})?$/;
/** Two digits at most, so that unfolding it is cheap; what it unfolds to must be a plain number again. */
const withExponent = /^\d{1,20}(\.\d{1,30})?[eE][+-]?\d{1,2}$/;

function positiveDecimal(source: string, context: z.RefinementCtx): Decimal {
  if (plainNumber.test(source) || withExponent.test(source)) {
    const amount = canonical(source);
    if (plainNumber.test(amount) && isPositive(amount)) return amount;
  }
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** What OpenAPI says of an amount that is asked for. */
const positiveNumber = { wire: { type: 'number', exclusiveMinimum: 0 } } as const;

/** A positive amount in a body: a JSON number, and a string is none. */
export const wireAmount = z
  .instanceof(WireNumber, { error: message })
  .meta(positiveNumber)
  .transform((number, context) => positiveDecimal(number.source, context));

/** A positive amount in a query. */
export const queryAmount = z.string().meta(positiveNumber).transform(positiveDecimal);

/** A number of an answer, written by `wireNumber`. */
export const shownNumber = z.custom<RawJson>().meta({ wire: { type: 'number' } });

/** A whole number of at most so much, to either side of zero. Not for amounts. */
export const wireInteger = (furthest: number) =>
  z
    .instanceof(WireNumber, { error: 'must be a whole number' })
    .meta({ wire: { type: 'integer', minimum: -furthest, maximum: furthest } })
    .transform(({ source }, context) => {
      const value = /^-?\d{1,15}$/.test(source) ? Number.parseInt(source, 10) : Number.NaN;
      if (Math.abs(value) <= furthest) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number of at most ${furthest}` });
      return z.NEVER;
    });
