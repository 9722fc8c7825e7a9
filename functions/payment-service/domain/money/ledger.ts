import type { Decimal } from './money.ts';
import { isEqual, negate, sum } from './money.ts';

/**
 * The ledger's accounts, of which every merchant has one set a currency. `balance` is what the merchant can spend; the
 * others say where it came from and where it went:
 *
 * - `opening`: what a sandbox merchant starts with;
 * - `deposits`: paid in by customers;
 * - `disbursements`: paid out to recipients;
 * - `exchange`: the desk that takes one currency and gives another;
 * - `fees`: what the service earned.
 */
export const ledgerAccounts = ['balance', 'opening', 'deposits', 'disbursements', 'exchange', 'fees'] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** An account gains a positive amount and loses a negative one. */
export interface Posting {
  readonly account: LedgerAccount;
  readonly amount: Decimal;
}

export const entryKinds = [
  'opening',
  'disbursement',
  'disbursement_status',
  'conversion',
  'deposit',
  'deposit_status',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What an entry is about and when. */
export interface EntryHead {
  /** Unique among the entries of its merchant and currency. */
  readonly id: string;
  readonly kind: EntryKind;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly currency: string;
}

/** One movement of money in one currency: its postings add up to nothing. */
export interface Entry extends EntryHead {
  readonly postings: readonly Posting[];
}

/**
 * An entry with what each account gains; accounts that gain nothing are left out.
 *
 * @throws Error when the amounts do not add up to zero: money would appear or vanish
 */
export const entry = (head: EntryHead, gains: Partial<Record<LedgerAccount, Decimal>>): Entry => {
  const postings = ledgerAccounts.flatMap((account) => {
    const amount = gains[account] ?? '0';
    return isEqual(amount, '0') ? [] : [{ account, amount }];
  });
  if (!isEqual(sum(postings.map(({ amount }) => amount)), '0')) {
    throw new Error(`the postings of ${head.kind} ${head.id} do not balance`);
  }
  return { ...head, postings };
};

/** What an account gains by an entry: zero when the entry does not touch it. */
export const gainOf = ({ postings }: Pick<Entry, 'postings'>, account: LedgerAccount): Decimal =>
  sum(postings.filter((posting) => posting.account === account).map(({ amount }) => amount));

/** What a merchant starts with in a currency. */
export const openingEntry = (head: Pick<EntryHead, 'at' | 'currency'>, amount: Decimal): Entry =>
  entry({ ...head, id: 'opening', kind: 'opening' }, { opening: negate(amount), balance: amount });
