type Given<Members extends object> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>;
};

/** The members without those that are undefined, to spread into an object whose members are optional. */
export function given<Members extends object>(members: Members): Given<Members>;
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What `of` returns for each key, without the keys for which it returns undefined. */
export function givenBy<Key extends string, Value>(
  keys: readonly Key[],
  of: (key: Key) => Value | undefined,
): Partial<Record<Key, Value>>;
export function givenBy(keys: readonly string[], of: (key: string) => unknown): object {
  return given(Object.fromEntries(keys.map((key) => [key, of(key)])));
}
