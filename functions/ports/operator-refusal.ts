/** Explains why the operator API refused a request, in the API's own words. */
export interface OperatorRefusal {
  readonly kind: 'refused';
  /** Stable, for programs: a URN that ends in the problem's code. */
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  /** The batch concerned. */
  readonly batchId?: string;
}
