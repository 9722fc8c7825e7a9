import * as z from 'zod';

/** Answers without data. */
export const noData = z.unknown().transform(() => undefined);
