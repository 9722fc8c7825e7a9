/** The key of each word, from a table of keys with their words. Spaces separate words. */
export const byWord = <Key>(table: Iterable<readonly [key: Key, words: string]>): ReadonlyMap<string, Key> =>
  new Map([...table].flatMap(([key, words]) => (words.match(/\S+/g) ?? []).map((word) => [word, key])));
