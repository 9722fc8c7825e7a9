import * as z from 'zod';

/** Answers that carry no data. */
export const noData = z.unknown().transform(() => undefined);
