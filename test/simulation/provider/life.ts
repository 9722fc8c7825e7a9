import type { Chance } from '../random.ts';
import type { Rail, Word } from './truth.ts';

const endOf = (chance: Chance, rail: Rail): Word => {
  if (chance.happens(0.85)) return 'completed';
  return rail === 'crypto' && chance.happens(0.3) ? 'canceled' : 'failed';
};

/**
 * What becomes of a payment, and how long after its creation: most are done within a minute, some take long, and a few
 * never end or change after their end.
 *
 * @param odd how often it is one of those few
 */
export const planLife = (
  chance: Chance,
  odd: number,
  rail: Rail,
): readonly { readonly inMs: number; readonly word: Word }[] => {
  const end = endOf(chance, rail);
  const words: Word[] = [];
  if (rail === 'crypto' && chance.happens(0.3)) words.push('pending_retry');
  if (rail === 'crypto' && chance.happens(0.3)) words.push('processed');
  if (rail === 'crypto' && chance.happens(2 * odd)) words.push('need_check');
  if (!chance.happens(odd)) {
    words.push(end);
    if (chance.happens(odd)) words.push(end === 'completed' ? 'failed' : 'completed');
  }
  let at = 0;
  return words.map((word) => {
    at += chance.between(0, chance.pick([1_200_000, 60_000, 5_000]));
    return { inMs: at, word };
  });
};
