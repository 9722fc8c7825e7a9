import { batchEnds } from '../../support/batch-ends.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Report } from './violation.ts';

const promise = 'open items are indexed';

/** Open batches are found through an index. A batch is in it exactly as long as it is open. */
export const checkInSight = (report: Report, { sk, status, open, batchId }: Item): void => {
  if (sk !== 'BATCH') return;
  const isOpen = !batchEnds.includes(String(status));
  if (open !== (isOpen ? 'BATCHES' : undefined))
    report(promise, `it is ${isOpen ? '' : 'not '}open and ${String(open)}`, { batchId: String(batchId) });
};

/** Reservations are found by a list of currencies. The list must contain this reservation's currency. */
export const checkFundsInSight = (report: Report, table: MemoryTable, { pk, sk }: Item): void => {
  const [, currency] = /^FUNDS#(.+)$/.exec(String(pk)) ?? [];
  if (currency === undefined || !String(sk).startsWith('BATCH#')) return;
  if (table.item({ pk: 'FUNDS#CURRENCIES', sk: `CURRENCY#${currency}` }) === undefined)
    report(promise, `money is reserved in ${currency}, which is not listed`);
};
