import type { Disbursement } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../../functions/payment-service/domain/disbursements/disbursement-filter.ts';
import { fits } from '../../../functions/payment-service/domain/disbursements/disbursement-filter.ts';
import type { PageRequest, SortOrder } from '../../../functions/payment-service/domain/lists/page.ts';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The ids on a page, found by looking at everything. `all` is in order of creation. Records of the same moment stay in
 * order of their changes.
 */
export const plainPage = (
  all: readonly Disbursement[],
  filter: DisbursementFilter,
  { order, descending }: SortOrder,
  { page, limit }: PageRequest,
) => {
  const fitting = all.filter((one) => fits(filter, one));
  const ordered =
    order === 'created'
      ? fitting
      : fitting.toSorted(
          (a, b) => compare(a.updatedAt, b.updatedAt) || a.changeNumber - b.changeNumber || a.position - b.position,
        );
  return {
    total: fitting.length,
    ids: (descending ? ordered.toReversed() : ordered)
      .slice((page - 1) * limit, page * limit)
      .map((one) => one.disbursementId),
  };
};
