import * as z from 'zod';
import type { Entry } from '../../../functions/payment-service/domain/money/ledger.ts';
import { entryKinds, ledgerAccounts } from '../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { keys } from '../../../functions/payment-service/store/keys.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { queryAll } from '../../../functions/payment-service/store/table.ts';

const storedEntry = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  at: z.string(),
  currency: z.string(),
  postings: z.array(z.object({ account: z.enum(ledgerAccounts), amount: z.string() })),
  balanceBefore: z.string(),
  balanceAfter: z.string(),
});

/** An entry as stored in the ledger, with the balance just before and just after it. */
export interface StoredEntry extends Entry {
  readonly balanceBefore: Money;
  readonly balanceAfter: Money;
}

/** Every entry of an account in a currency, in order of time. */
export const readEntries = async (
  table: Table,
  accountId: string,
  currency: string,
): Promise<readonly StoredEntry[]> => {
  const items = await queryAll(table, keys.entry(accountId, currency, '', '').pk);
  return items.map((item) => {
    const { postings, balanceBefore, balanceAfter, ...head } = storedEntry.parse(item);
    return {
      ...head,
      postings: postings.map(({ account, amount }) => ({ account, amount: Money.of(amount, head.currency) })),
      balanceBefore: Money.of(balanceBefore, head.currency),
      balanceAfter: Money.of(balanceAfter, head.currency),
    };
  });
};
