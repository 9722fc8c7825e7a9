/** Why the operator API did not do what it was asked, in its words. */
export interface OperatorRefusal {
  readonly kind: 'refused';
  /** Stable, for programs: a URN that ends in the problem's code. */
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  /** The batch that it is about. */
  readonly batchId?: string;
}
