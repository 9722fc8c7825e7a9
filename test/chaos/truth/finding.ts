/**
 * - `twice`: money left for more than one disbursement of a reference;
 * - `lost`: the results do not show what became of the row's money;
 * - `wrong`: another amount, currency or destination than in the file, or the results name another disbursement;
 * - `stray`: a disbursement that no file asks for;
 * - `sum`: amounts do not add up to the file or to the balance;
 * - `converted-twice`: the service, or a batch by its own record, made more than one conversion for one plan;
 * - `conversion-lost`: a batch's record does not show the outcome of a conversion;
 * - `conversion-wrong`: another amount or currency was converted than recorded;
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
  /** The subject that a person has to look at: a reference, a currency, or a conversion. */
  readonly what: string;
  readonly why: string;
}
