import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import { Money } from '../money/money.ts';
import type { GroupDraft } from './disbursement.ts';
import { totalOf } from './disbursement.ts';
import type { StatusChange } from './lifecycle.ts';

/** The entry of a new group: the balance pays all amounts and all fees. */
export const disbursementEntry = (head: Pick<EntryHead, 'id' | 'at'>, group: GroupDraft): Entry => {
  const [disbursements, fees] = [totalOf(group, 'amount'), totalOf(group, 'fee')];
  return entry(
    { ...head, kind: 'disbursement', currency: group.currency },
    { balance: disbursements.plus(fees).negated(), disbursements, fees },
  );
};

/** A change's amount or fee: positive when returned to the balance, negative when taken again, otherwise zero. */
const returned = ({ before, balanceDelta }: StatusChange, part: 'amount' | 'fee'): Money => {
  if (balanceDelta.isZero()) return balanceDelta;
  return balanceDelta.isPositive() ? before[part] : before[part].negated();
};

/**
 * The entry of status changes. A failed disbursement returns its amount and fee; one that a sandbox update revives
 * takes both again.
 */
export const statusEntry = (head: Omit<EntryHead, 'kind'>, changes: readonly StatusChange[]): Entry => {
  const total = (amountOf: (change: StatusChange) => Money): Money => Money.sum(head.currency, changes.map(amountOf));
  return entry(
    { ...head, kind: 'disbursement_status' },
    {
      balance: total(({ balanceDelta }) => balanceDelta),
      disbursements: total((change) => returned(change, 'amount')).negated(),
      fees: total((change) => returned(change, 'fee')).negated(),
    },
  );
};
