import type { ValuePath } from '../lists/members.ts';
import type { Period } from '../lists/tree.ts';
import type { Decimal } from '../money/decimal.ts';
import { canonical } from '../money/decimal.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';
import { transactionHash } from './lifecycle.ts';

/** Selects disbursements of a rail for a list. Undefined fields do not restrict. */
export interface DisbursementFilter {
  readonly status?: DisbursementStatus | undefined;
  /** Fiat codes or tokens. Several when tokens share a contract address. */
  readonly currencies?: readonly string[] | undefined;
  readonly disbursementId?: string | undefined;
  readonly reference?: string | undefined;
  /** In any currency, without trailing zeros. */
  readonly amount?: Decimal | undefined;
  readonly created?: Period | undefined;
  readonly receiverAddress?: string | undefined;
  readonly txHash?: string | undefined;
}

/** Hexadecimal addresses are compared without regard to case. */
const addressAsCompared = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address);

/** Hashes are hexadecimal on every network, and stored in lower case. */
const hashAsCompared = (hash: string): string => hash.toLowerCase();

/** Whether the disbursement belongs in the list. */
export const fits = (filter: DisbursementFilter, one: Disbursement): boolean =>
  (filter.currencies === undefined || filter.currencies.includes(one.amount.currency)) &&
  (filter.created === undefined || (one.createdAt >= filter.created.from && one.createdAt <= filter.created.to)) &&
  (filter.status === undefined || one.status === filter.status) &&
  (filter.disbursementId === undefined || one.disbursementId === filter.disbursementId) &&
  (filter.reference === undefined || one.reference === filter.reference) &&
  (filter.amount === undefined || one.amount.amount === canonical(filter.amount)) &&
  (filter.txHash === undefined || one.txHash === hashAsCompared(filter.txHash)) &&
  (filter.receiverAddress === undefined ||
    (one.recipient.kind === 'wallet' &&
      addressAsCompared(one.recipient.address) === addressAsCompared(filter.receiverAddress)));

/** The values that disbursements can share: `amount=10`. */
const named = (
  values: Readonly<Record<'txHash' | 'reference' | 'receiverAddress' | 'amount', string | undefined>>,
): readonly ValuePath[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}` as const]));

/**
 * The values under which a crypto disbursement is indexed. A list filtered by one of them reads only the disbursements
 * that match.
 *
 * @param isReusable whether several disbursements can share a reference. If not, the reference needs no index.
 */
export const indexedValues = (one: Disbursement, isReusable: boolean): readonly ValuePath[] =>
  named({
    amount: one.amount.amount,
    receiverAddress: one.recipient.kind === 'wallet' ? addressAsCompared(one.recipient.address) : undefined,
    reference: isReusable ? one.reference : undefined,
    // The hash appears when the transaction is sent, but it is known earlier.
    txHash: transactionHash(one),
  });

/**
 * The indexed values that the filter names. Every match is indexed under all of them, except under a unique reference,
 * which is looked up instead.
 */
export const filterValues = ({
  txHash,
  reference,
  receiverAddress,
  amount,
}: DisbursementFilter): readonly ValuePath[] =>
  named({
    txHash: txHash && hashAsCompared(txHash),
    reference,
    receiverAddress: receiverAddress && addressAsCompared(receiverAddress),
    amount: amount && canonical(amount),
  });
