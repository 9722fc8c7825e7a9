/**
 * - `twice`: the service holds more than one disbursement of a reference that money left for;
 * - `lost`: nobody who reads the results learns what became of the row's money;
 * - `wrong`: another amount, currency or destination than the file's;
 * - `stray`: money left for something that is in no file;
 * - `sum`: amounts do not add up, to the file or to the balance;
 * - `converted-twice`: the service made more than one conversion for what a batch planned once;
 * - `conversion-lost`: a batch's record does not tell what became of a conversion;
 * - `conversion-wrong`: another amount or currency was converted than the record says;
 * - `conversion-stray`: the service made a conversion that no batch planned.
 */
export const findingKinds = [
  'twice',
  'lost',
  'wrong',
  'stray',
  'sum',
  'converted-twice',
  'conversion-lost',
  'conversion-wrong',
  'conversion-stray',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** What a person has to look at: a reference, a currency, or a conversion. */
  readonly what: string;
  readonly why: string;
}
