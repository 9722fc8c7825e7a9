import type { Decimal } from '../money/decimal.ts';
import { canonical } from '../money/decimal.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';
import { transactionHash } from './lifecycle.ts';

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
  /** Of whatever currency, without trailing zeros. */
  readonly amount?: Decimal | undefined;
  readonly created?: CreationPeriod | undefined;
  readonly receiverAddress?: string | undefined;
  readonly txHash?: string | undefined;
}

/** Hexadecimal addresses mean the same in any letter case. */
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

/** A value that disbursements can have in common, with its name: `amount=10`. */
type FiledPath = `${'amount' | 'receiverAddress' | 'reference' | 'txHash'}=${string}`;

const filed = {
  amount: (value: Decimal): FiledPath => `amount=${canonical(value)}`,
  receiverAddress: (value: string): FiledPath => `receiverAddress=${addressAsCompared(value)}`,
  reference: (value: string): FiledPath => `reference=${value}`,
  txHash: (value: string): FiledPath => `txHash=${value}`,
} as const;

/**
 * What a crypto disbursement is filed under, so that lists by these values need not look at all others.
 *
 * @param several whether a reference can stand for several; else it is found without
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
    // It gets its hash when it is sent; what it will be is known before.
    filed.txHash(transactionHash(one)),
  ];
};

/** Under which values all are filed that the filter asks for. */
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
