import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import type { Decimal } from '../money/money.ts';
import { isEqual, isPositive, multiply, negate, sum } from '../money/money.ts';
import type { DisbursementDraft } from './disbursement.ts';
import type { StatusChange } from './lifecycle.ts';

/** A group of disbursements: every amount leaves, every fee is earned. */
export const disbursementEntry = (
  head: Omit<EntryHead, 'kind'>,
  items: readonly Pick<DisbursementDraft, 'amount' | 'fee'>[],
): Entry => {
  const amounts = sum(items.map(({ amount }) => amount));
  const fees = sum(items.map(({ fee }) => fee));
  return entry(
    { ...head, kind: 'disbursement' },
    { balance: negate(sum([amounts, fees])), disbursements: amounts, fees },
  );
};

/** `1` when a change gives amount and fee back, `-1` when it takes them up again, `0` when no money moves. */
const returned = ({ balanceDelta }: StatusChange): Decimal =>
  isEqual(balanceDelta, '0') ? '0' : isPositive(balanceDelta) ? '1' : '-1';

/** Disbursements that failed give amount and fee back; those taken up again by a sandbox update take them again. */
export const statusEntry = (head: Omit<EntryHead, 'kind'>, changes: readonly StatusChange[]): Entry => {
  const back = (part: 'amount' | 'fee'): Decimal =>
    sum(changes.map((change) => multiply(change.before[part], returned(change))));
  return entry(
    { ...head, kind: 'disbursement_status' },
    {
      balance: sum(changes.map(({ balanceDelta }) => balanceDelta)),
      disbursements: negate(back('amount')),
      fees: negate(back('fee')),
    },
  );
};
