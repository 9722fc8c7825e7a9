import * as z from 'zod';
import { once } from '../domain/once.ts';
import { exactDecimal } from './exact-decimal.ts';
import { JsonNumber } from './transport/json-by-source.ts';

/** The schema of an object that the service sends, made when it is first needed. Other members are left out. */
export const received = <Shape extends z.ZodRawShape>(shape: () => Shape) => once(() => z.object(shape()));

/** The schema of an object that is sent to the service. Other members are refused. */
export const sent = <Shape extends z.ZodRawShape>(shape: () => Shape) => once(() => z.strictObject(shape()));

/**
 * An exact decimal as a string, read from a JSON number by its source text. Also accepts a decimal in a JSON string. The meaning
 * is the same, and refusing it would make a readable answer unknown.
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

/** A whole number that counts something. Never money, and never text. */
export const integer = once(() =>
  z.instanceof(JsonNumber).transform((value, context) => {
    const exact = exactDecimal(value.source);
    if (exact !== undefined && /^-?\d{1,15}$/.test(exact)) return Number(exact);
    context.addIssue({ code: 'custom', message: 'not a whole number' });
    return z.NEVER;
  }),
);

/** An optional field that affects decisions. Null means absent; any other value must match the schema. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** An optional field that is only informative. A value that does not match the schema is treated as absent. */
export const informative = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? undefined);

/** An informative text, as most fields of a record are. */
export const text = once(() => informative(z.string()));

/** A positive amount in a query string, where it stays text. */
export const queryAmount = once(() =>
  z
    .string()
    .regex(/^(0|[1-9]\d*)(\.\d+)?$/, 'not a plain decimal')
    .refine((text) => /[1-9]/.test(text), 'not positive'),
);

/** A positive amount to send: written into JSON as a number, digit by digit. */
export const sentAmount = once(() => queryAmount().transform((text) => JSON.rawJSON(text)));
