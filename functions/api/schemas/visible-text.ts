import type { z } from 'zod';
import { hasHidden } from '../../domain/readable-text.ts';

/**
 * A text on one line, all of whose characters are shown.
 *
 * @param pattern says `\p{Cc}` for every character that is not: the document spells them out (openapi/readable-pattern.ts)
 */
export const visibleText = (text: z.ZodString, pattern: RegExp, mismatch: string): z.ZodString =>
  text
    .refine((value) => !hasHidden(value), { error: 'one line without characters that nobody sees', abort: true })
    .regex(pattern, mismatch);
