/** Seeded randomness: the same seed and the same calls give the same choices. */
export interface SeededRandom {
  /** From 0, below 1. */
  readonly next: () => number;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly chance: (probability: number) => boolean;
}

/** FNV-1a, 32 bits: maps a text to the generator's first state. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const letter of Buffer.from(text)) hash = Math.imul(hash ^ letter, 0x01000193) >>> 0;
  return hash;
};

/**
 * Mulberry32. Each purpose has a generator of its own, so that the number of draws for one, which depends on timing, does not
 * change another.
 */
export const seededRandom = (seed: number, purpose: string): SeededRandom => {
  let state = (hashOf(purpose) ^ seed) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    chance: (probability) => next() < probability,
  };
};
