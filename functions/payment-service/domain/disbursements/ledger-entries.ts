import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import { Money } from '../money/money.ts';
import type { GroupDraft } from './disbursement.ts';
import { totalOf } from './disbursement.ts';
import type { StatusChange } from './lifecycle.ts';
import { returnedBy } from './lifecycle.ts';

/** The entry of a new group: the balance pays all amounts and all fees. */
export const disbursementEntry = (head: Pick<EntryHead, 'id' | 'at'>, group: GroupDraft): Entry => {
  const [disbursements, fees] = [totalOf(group, 'amount'), totalOf(group, 'fee')];
  return entry(
    { ...head, kind: 'disbursement', currency: group.currency },
    { balance: disbursements.plus(fees).negated(), disbursements, fees },
  );
};

/**
 * The entry of status changes. A failed or canceled disbursement returns its amount and fee; one that a sandbox update
 * revives takes both again.
 */
export const statusEntry = (head: Omit<EntryHead, 'kind'>, changes: readonly StatusChange[]): Entry => {
  const total = (part: 'amount' | 'fee'): Money => {
    const returned = changes.map((change) => returnedBy(change, part));
    return Money.sum(head.currency, returned);
  };
  const [amounts, fees] = [total('amount'), total('fee')];
  return entry(
    { ...head, kind: 'disbursement_status' },
    { balance: amounts.plus(fees), disbursements: amounts.negated(), fees: fees.negated() },
  );
};
