import type { Decimal } from '../money/decimal.ts';
import { canonical } from '../money/decimal.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';
import { transactionHash } from './lifecycle.ts';

interface CreationPeriod {
  /** ISO 8601 UTC, both ends included. */
  readonly from: string;
  readonly to: string;
}

/** Selects disbursements of a rail for a list. Undefined fields do not restrict. */
export interface DisbursementFilter {
  readonly status?: DisbursementStatus | undefined;
  /** Fiat codes or tokens. Several when tokens share a contract address. */
  readonly currencies?: readonly string[] | undefined;
  readonly disbursementId?: string | undefined;
  readonly reference?: string | undefined;
  /** In any currency, without trailing zeros. */
  readonly amount?: Decimal | undefined;
  readonly created?: CreationPeriod | undefined;
  readonly receiverAddress?: string | undefined;
  readonly txHash?: string | undefined;
}

/** Hexadecimal addresses are compared without regard to case. */
const addressAsCompared = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address);

/** Whether the disbursement belongs in the list. */
export const fits = (filter: DisbursementFilter, one: Disbursement): boolean =>
  (filter.currencies === undefined || filter.currencies.includes(one.amount.currency)) &&
  (filter.created === undefined || (one.createdAt >= filter.created.from && one.createdAt <= filter.created.to)) &&
  (filter.status === undefined || one.status === filter.status) &&
  (filter.disbursementId === undefined || one.disbursementId === filter.disbursementId) &&
  (filter.reference === undefined || one.reference === filter.reference) &&
  (filter.amount === undefined || one.amount.amount === canonical(filter.amount)) &&
  (filter.txHash === undefined || one.txHash === filter.txHash) &&
  (filter.receiverAddress === undefined ||
    (one.recipient.kind === 'wallet' &&
      addressAsCompared(one.recipient.address) === addressAsCompared(filter.receiverAddress)));

/** A named value that disbursements can share: `amount=10`. */
type FiledPath = `${'amount' | 'receiverAddress' | 'reference' | 'txHash'}=${string}`;

const filed = {
  amount: (value: Decimal): FiledPath => `amount=${canonical(value)}`,
  receiverAddress: (value: string): FiledPath => `receiverAddress=${addressAsCompared(value)}`,
  reference: (value: string): FiledPath => `reference=${value}`,
  txHash: (value: string): FiledPath => `txHash=${value}`,
} as const;

/**
 * The values under which a crypto disbursement is indexed. A list filtered by one of them reads only the disbursements
 * that match.
 *
 * @param several whether several disbursements can share a reference. If not, the reference needs no index.
 */
export const indexedValues = (
  one: Disbursement,
  several: { readonly reusableCryptoReferences: boolean },
): readonly FiledPath[] => {
  const { recipient } = one;
  const reference = several.reusableCryptoReferences ? one.reference : undefined;
  return [
    filed.amount(one.amount.amount),
    ...(recipient.kind === 'wallet' ? [filed.receiverAddress(recipient.address)] : []),
    ...(reference === undefined ? [] : [filed.reference(reference)]),
    // The hash appears when the transaction is sent, but it is known earlier.
    filed.txHash(transactionHash(one)),
  ];
};

/** The indexed values that the filter names. Every match is indexed under all of them. */
export const filterValues = ({
  amount,
  receiverAddress,
  reference,
  txHash,
}: DisbursementFilter): readonly FiledPath[] => [
  ...(txHash === undefined ? [] : [filed.txHash(txHash)]),
  ...(reference === undefined ? [] : [filed.reference(reference)]),
  ...(receiverAddress === undefined ? [] : [filed.receiverAddress(receiverAddress)]),
  ...(amount === undefined ? [] : [filed.amount(amount)]),
];
