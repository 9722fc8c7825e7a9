import * as z from 'zod';

/** An amount as the table holds it: an exact decimal in a string, never a number. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);
