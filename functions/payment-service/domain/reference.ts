/** The format of a merchant's reference. It can be used unescaped in a path and in a table key. */
export const referencePattern = /^[A-Za-z0-9][A-Za-z0-9._~:@+=-]{0,127}$/;

/** Words that occur in the API's paths in place of an id or a reference. */
const pathWords: ReadonlySet<string> = new Set(['cancel', 'crypto', 'estimate', 'fiat', 'payment-method', 'report']);

/** The form of ids of deposits, checkouts and disbursements, whether or not the record exists. */
const idForm = /^(dep|chk|dsb)_[0-9a-f]{24,32}$/;

/** Whether a lookup by this reference would find something else: another endpoint, or the record with that id. */
export const isReservedReference = (reference: string): boolean =>
  pathWords.has(reference.toLowerCase()) || idForm.test(reference);
