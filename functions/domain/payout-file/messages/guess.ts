/** Changes of one letter that make one text of another; two neighbors that changed places are one. */
const distance = (one: string, other: string): number => {
  let last: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swapped = isSwapped ? (last[to - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    [last, row] = [row, next];
  }
  return row[other.length] ?? 0;
};

/** No word is guessed of a text that is longer: it is none that was mistyped, and each comparison costs its length. */
const longest = 40;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

/**
 * The word that a text probably means: at most a third of its letters, and no more than two, are others. Letter case, spaces
 * and hyphens do not count. Undefined when no word is near, or two are equally near.
 */
export const guess = <Word extends string>(text: string, words: Iterable<Word>): Word | undefined => {
  const meant = bare(text);
  if (meant === '' || meant.length > longest) return undefined;
  const most = Math.min(2, Math.floor(meant.length / 3));
  let nearest: Word | undefined;
  let least = most + 1;
  let isTie = false;
  for (const word of words) {
    const candidate = bare(word);
    if (Math.abs(candidate.length - meant.length) > most) continue;
    const found = distance(meant, candidate);
    isTie = found === least && found <= most ? true : found < least ? false : isTie;
    if (found < least) [nearest, least] = [word, found];
  }
  return isTie ? undefined : nearest;
};

/** The question that a message ends with; empty where nothing is near. */
export const didYouMean = (word: string | undefined): string => (word === undefined ? '' : ` Did you mean ${word}?`);
