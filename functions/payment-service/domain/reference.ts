/** What a merchant may call a record: it can stand in a path, and in a key of the table, as it is. */
export const referencePattern = /^[A-Za-z0-9][A-Za-z0-9._~:@+=-]{0,127}$/;

/** Words of the interface's paths that stand beside an id or a reference. */
const pathWords: ReadonlySet<string> = new Set(['cancel', 'crypto', 'estimate', 'fiat', 'payment-method', 'report']);

/** Ids of deposits, checkouts and disbursements, whether there is such a record or not. */
const idForm = /^(dep|chk|dsb)_[0-9a-f]{24,32}$/;

/** Whether a lookup by it would find something else: the endpoint of that path, or the record of that id. */
export const isReservedReference = (reference: string): boolean =>
  pathWords.has(reference.toLowerCase()) || idForm.test(reference);
