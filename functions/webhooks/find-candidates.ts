import type { Hint } from '../ports/hint-queue.ts';
import type { WebhookNames } from '../ports/webhook-names.ts';

/** The payload is not specified: deeper than this nobody puts the id of what a webhook is about. */
const maxDepth = 5;
/**
 * Ours are of letters, digits and `. _ : -`; the provider's are not specified. Spaces, control characters and letters of
 * other alphabets are in no id, and a queue would refuse some of them.
 */
const idShape = /^[\x21-\x7e]{1,128}$/;
/** Bounds what one webhook, forged or not, can make the orchestrator ask of the ledger. */
const maxCandidates = 10;
/** And of the provider: the id of the event, of what it is about, and one more. */
const maxIds = 3;

const childrenOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isId = (value: unknown): value is string => typeof value === 'string' && idShape.test(value);

/** What a webhook names, for one hint. */
type Named = Pick<Hint, 'candidates' | 'ids'>;

/** Level by level, so that the outermost ids come first when there are too many. */
const search = ({ references, ids }: WebhookNames, root: unknown): Named => {
  const found = new Set<string>();
  let tellsReference = false;
  let level: readonly unknown[] = [root];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const entries = level.flatMap(childrenOf);
    for (const [key, value] of entries) {
      const isReference = references.includes(key);
      if (!(isReference || ids.includes(key)) || !isId(value)) continue;
      found.add(value);
      tellsReference ||= isReference;
    }
    level = entries.map(([, value]) => value);
  }
  const candidates = [...found].slice(0, maxCandidates);
  return tellsReference ? { candidates } : { candidates, ids: candidates.slice(0, maxIds) };
};

/**
 * Texts in a webhook's body that by these names may be the id or reference of a payout, at most ten, outermost first; the first
 * three are ids where none is told as a reference. Undefined when the body is not JSON.
 */
export const findCandidates = (names: WebhookNames, body: string): Named | undefined => {
  try {
    return search(names, JSON.parse(body));
  } catch {
    return undefined;
  }
};
