import { Money } from './money.ts';

/**
 * The ledger's accounts. Every merchant has one set per currency. `balance` is the money that the merchant can spend.
 * The other accounts show where it came from and where it went:
 *
 * - `opening`: the sandbox's starting balance;
 * - `deposits`: paid in by customers;
 * - `disbursements`: paid out to recipients;
 * - `exchange`: takes one currency and gives another;
 * - `fees`: earned by the service.
 */
export const ledgerAccounts = ['balance', 'opening', 'deposits', 'disbursements', 'exchange', 'fees'] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export const entryKinds = [
  'opening',
  'disbursement',
  'disbursement_status',
  'conversion',
  'deposit',
  'deposit_status',
] as const;

/** Identifies an entry: its subject, kind, moment and currency. */
export interface EntryHead {
  /** Unique among the entries of its merchant and currency. */
  readonly id: string;
  readonly kind: (typeof entryKinds)[number];
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly currency: string;
}

/** One movement of money in one currency. Its postings add up to zero. */
export interface Entry extends EntryHead {
  /** A positive amount is a gain of the account, a negative one a loss. */
  readonly postings: readonly { readonly account: LedgerAccount; readonly amount: Money }[];
}

/**
 * Makes an entry from the gains of each account. Accounts without a gain are left out.
 *
 * @throws Error when the gains do not add up to zero: money would appear or vanish
 * @throws CurrencyMismatch when a gain is not in the entry's currency
 */
export const entry = (head: EntryHead, gains: Partial<Record<LedgerAccount, Money>>): Entry => {
  const postings = ledgerAccounts.flatMap((account) => {
    const amount = gains[account];
    return amount === undefined || amount.isZero() ? [] : [{ account, amount }];
  });
  const total = Money.sum(
    head.currency,
    postings.map(({ amount }) => amount),
  );
  if (!total.isZero()) throw new Error(`the postings of ${head.kind} ${head.id} do not balance`);
  return { ...head, postings };
};

/** An account's gain from an entry. Zero when the entry does not touch it. */
export const gainOf = ({ currency, postings }: Pick<Entry, 'currency' | 'postings'>, account: LedgerAccount): Money =>
  postings.find((posting) => posting.account === account)?.amount ?? Money.zero(currency);

/** The entry that gives a merchant its opening balance in a currency. */
export const openingEntry = (at: string, amount: Money): Entry =>
  entry(
    { id: 'opening', kind: 'opening', at, currency: amount.currency },
    { opening: amount.negated(), balance: amount },
  );
