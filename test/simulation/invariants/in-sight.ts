import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Report } from './violation.ts';

const promise = 'what is open is found';

const endedBatch: readonly unknown[] = [
  'validation_failed',
  'previewed',
  'completed',
  'partially_completed',
  'failed',
  'canceled',
];
/** Whoever looks for batches that are not done asks an index: each is in it as long as it is not, and no longer. */
export const checkInSight = (report: Report, { sk, status, open, batchId }: Item): void => {
  if (sk !== 'BATCH') return;
  const isOpen = !endedBatch.includes(status);
  if (open !== (isOpen ? 'BATCHES' : undefined))
    report(promise, `it is ${isOpen ? '' : 'not '}open and ${String(open)}`, { batchId: String(batchId) });
};

/** Whoever looks for all money set aside asks for its currencies: a reservation's is among them. */
export const checkFundsInSight = (report: Report, table: MemoryTable, { pk, sk }: Item): void => {
  const [, currency] = /^FUNDS#(.+)$/.exec(String(pk)) ?? [];
  if (currency === undefined || !String(sk).startsWith('BATCH#')) return;
  if (table.item({ pk: 'FUNDS#CURRENCIES', sk: `CURRENCY#${currency}` }) === undefined)
    report(promise, `money is set aside in ${currency}, which is not listed`);
};
