import type * as z from 'zod';

/** Parses a JSON text by a schema. Undefined for anything else. */
export const parseJson = <Value>(schema: z.ZodType<Value>, text: string): Value | undefined => {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
