import type { z } from 'zod';
import { hasHidden } from '../../domain/readable-text.ts';

/**
 * A text on one line with only visible characters.
 *
 * @param pattern has `\p{Cc}` for all invisible characters; the OpenAPI document lists them (openapi/readable-pattern.ts)
 */
export const visibleText = (text: z.ZodString, pattern: RegExp, mismatch: string): z.ZodString =>
  text
    .refine((value) => !hasHidden(value), { error: 'one line without invisible characters', abort: true })
    .regex(pattern, mismatch);
