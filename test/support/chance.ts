/** A seeded source of randomness. Each part of a run has its own. */
export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  /** A number in [least, most). */
  between(least: number, most: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** An independent source, so that one part's draws do not shift another's. */
  fork(name: string): Chance;
}

/** FNV-1a, 32 bits. */
export const hashText = (text: string, start = 0x811c9dc5): number => {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** SplitMix32: small, quick, and without patterns across neighboring seeds. */
const splitMix = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
};

export const chanceOf = (seed: number): Chance => {
  const next = splitMix(Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635);
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    happens: (probability) => next() < probability,
    between: (least, most) => least + next() * (most - least),
    pick: (values) => values[int(0, values.length - 1)] ?? values[0],
    fork: (name) => chanceOf(hashText(name, seed ^ 0x811c9dc5)),
  };
};
