import * as z from 'zod';
import { once } from '../domain/once.ts';
import { exactDecimal, JsonNumber } from './transport/json-by-source.ts';

/**
 * An exact decimal in a string, read from a JSON number by its source text. A decimal in a JSON string is taken as well:
 * it says the same, and refusing it would turn a readable answer into an unknown one.
 */
export const decimal = once(() =>
  z.union([z.instanceof(JsonNumber), z.string()]).transform((value, context) => {
    const exact = exactDecimal(typeof value === 'string' ? value : value.source);
    if (exact !== undefined) return exact;
    context.addIssue({ code: 'custom', message: 'not a decimal' });
    return z.NEVER;
  }),
);

/** A decimal that cannot be negative: an amount, a fee, a limit. */
export const amount = once(() => decimal().refine((value) => !value.startsWith('-'), 'negative'));

/** A whole number that counts something; never money, and never text. */
export const integer = once(() =>
  z.instanceof(JsonNumber).transform((value, context) => {
    const exact = exactDecimal(value.source);
    if (exact !== undefined && /^-?\d{1,15}$/.test(exact)) return Number(exact);
    context.addIssue({ code: 'custom', message: 'not a whole number' });
    return z.NEVER;
  }),
);

/** An optional field that decides something: absent and null are the same, anything else must be what it should be. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** An optional field that only informs: one that is not as documented is treated as not there. */
export const informative = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? undefined);

/** A text that only informs, as most of a record are. */
export const text = once(() => informative(z.string()));

/** A positive amount on its way out: written into JSON as the number its text says, digit by digit. */
export const sentAmount = once(() =>
  z
    .string()
    .regex(/^(0|[1-9]\d*)(\.\d+)?$/, 'not a plain decimal')
    .refine((text) => /[1-9]/.test(text), 'not positive')
    .transform((text) => JSON.rawJSON(text)),
);

/** A positive amount in a query string, where it is text as it is. */
export const queryAmount = once(() =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'not a plain decimal')
    .refine((text) => /[1-9]/.test(text), 'not positive'),
);
