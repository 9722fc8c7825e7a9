import type { Disbursement, DisbursementStatus } from './disbursement.ts';
import type { Decimal } from './money.ts';
import { isEqual } from './money.ts';

export interface CreationPeriod {
  /** ISO 8601 UTC, both ends included. */
  readonly from: string;
  readonly to: string;
}

/** Which disbursements of a rail a list shows. What is undefined does not restrict. */
export interface DisbursementFilter {
  readonly status?: DisbursementStatus | undefined;
  /** Fiat codes or tokens; several where one contract address means several tokens. */
  readonly currencies?: readonly string[] | undefined;
  readonly disbursementId?: string | undefined;
  readonly reference?: string | undefined;
  readonly amount?: Decimal | undefined;
  readonly created?: CreationPeriod | undefined;
  readonly receiverAddress?: string | undefined;
  readonly txHash?: string | undefined;
}

export type SortField = 'createdAt' | 'updatedAt';

export interface SortOrder {
  readonly field: SortField;
  readonly descending: boolean;
}

type Shared = Pick<Disbursement, 'currency' | 'createdAt'>;

/** What all disbursements of a group have in common, so that a whole group is left out unread. */
export const fitsAsGroup = ({ currencies, created }: DisbursementFilter, one: Shared): boolean =>
  (currencies === undefined || currencies.includes(one.currency)) &&
  (created === undefined || (one.createdAt >= created.from && one.createdAt <= created.to));

const sameAddress = (a: string, b: string): boolean =>
  a.startsWith('0x') ? a.toLowerCase() === b.toLowerCase() : a === b;

/** Whether the disbursement belongs in the list. */
export const fits = (filter: DisbursementFilter, one: Disbursement): boolean =>
  fitsAsGroup(filter, one) &&
  (filter.status === undefined || one.status === filter.status) &&
  (filter.disbursementId === undefined || one.disbursementId === filter.disbursementId) &&
  (filter.reference === undefined || one.reference === filter.reference) &&
  (filter.amount === undefined || isEqual(one.amount, filter.amount)) &&
  (filter.txHash === undefined || one.txHash === filter.txHash) &&
  (filter.receiverAddress === undefined ||
    (one.recipient.kind === 'wallet' && sameAddress(one.recipient.address, filter.receiverAddress)));

/** Whether the filter says nothing of single disbursements but their status. */
export const isOfGroupsAndStatus = (filter: DisbursementFilter): boolean =>
  filter.amount === undefined &&
  filter.txHash === undefined &&
  filter.receiverAddress === undefined &&
  filter.reference === undefined &&
  filter.disbursementId === undefined;
