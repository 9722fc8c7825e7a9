import * as z from 'zod';
import { parseJson } from '../domain/json-text.ts';
import type { Hint } from '../ports/hint-queue.ts';

const hint: z.ZodType<Hint> = z.object({
  webhook: z.string(),
  receivedAt: z.iso.datetime(),
  candidates: z.array(z.string()),
  ids: z.array(z.string()).exactOptional(),
});

/** Parses a hint from a queue; undefined for anything else. */
export const readHint = (text: string): Hint | undefined => parseJson(hint, text);
