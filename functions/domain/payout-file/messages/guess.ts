/** Edit distance: the number of single-letter changes between two texts. Two swapped neighbors count as one change. */
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

/** Longer texts are not guessed: they are not mistyped words, and each comparison costs their length. */
const longest = 40;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

/**
 * The word that a text probably means: at most a third of its letters differ, and at most two. Letter case, spaces and
 * hyphens do not count. Undefined when no word is close, or two are equally close.
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

/** The question at the end of a message. */
export const didYouMean = (word: string): string => ` Did you mean ${word}?`;
