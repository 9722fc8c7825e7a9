import * as z from 'zod';
import { parseJson } from '../domain/json-text.ts';
import type { Hint } from '../ports/hint-queue.ts';
import type { WebhookNames } from '../ports/webhook-names.ts';

/** The payload's format is not specified, but nobody nests the id of a webhook's subject deeper than this. */
const maxDepth = 5;
/**
 * Our references contain letters, digits and `. _ : -`; the provider's ids are not specified. No id contains spaces, control
 * characters or letters of other alphabets, and a queue would refuse some of them.
 */
const idShape = /^[\x21-\x7e]{1,128}$/;
/** Limits how many ledger lookups one webhook, even a forged one, can cause. */
const maxCandidates = 10;
/** Limits the provider lookups: the event's id, its subject's id, and one more. */
const maxIds = 3;

const childrenOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isId = (value: unknown): value is string => typeof value === 'string' && idShape.test(value);

/** The texts that a webhook names, as in a hint. */
type Named = Pick<Hint, 'candidates' | 'ids'>;

/** Searches level by level, so that the outermost ids come first when there are too many. */
const search = ({ references, ids }: WebhookNames, root: unknown): Named => {
  const found = new Set<string>();
  let hasReference = false;
  let level: readonly unknown[] = [root];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const entries = level.flatMap(childrenOf);
    for (const [key, value] of entries) {
      const isReference = references.includes(key);
      if (!(isReference || ids.includes(key)) || !isId(value)) continue;
      found.add(value);
      hasReference ||= isReference;
    }
    level = entries.map(([, value]) => value);
  }
  const candidates = [...found].slice(0, maxCandidates);
  return hasReference ? { candidates } : { candidates, ids: candidates.slice(0, maxIds) };
};

/**
 * Finds up to ten texts in a webhook's body whose field names may hold a payout's id or reference, the outermost first. When no
 * field holds a reference, the first three are also ids to ask the provider about. Undefined when the body is not JSON.
 */
export const findCandidates = (names: WebhookNames, body: string): Named | undefined => {
  // Without the byte order mark: a signature covers it, so the stored body keeps it.
  const root = parseJson(z.unknown(), body.replace(/^\ufeff/, ''));
  return root === undefined ? undefined : search(names, root);
};
