/** Reads a field of a stored value, for invariants that do without the ledger's codecs. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
