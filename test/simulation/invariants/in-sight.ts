import * as z from 'zod';
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
const endedPayout: readonly string[] = ['completed', 'failed', 'canceled', 'rejected'];

const chunk = z.object({
  pk: z.string().startsWith('BATCH#'),
  sk: z.string(),
  rail: z.string(),
  tallies: z.record(z.string(), z.object({ count: z.number() })),
  proofs: z.number().default(0),
  proofsGivenUp: z.number().default(0),
  contradictions: z.object({ withoutProof: z.number().default(0) }).prefault({}),
});

/** Whoever looks for batches and chunks that are not done asks an index: each is in it as long as it is not, and no longer. */
export const checkInSight = (report: Report, after: Item): void => {
  const sk = String(after['sk']);
  const tell = (isOpen: boolean, open: string, batchId: string): void => {
    if (after['open'] !== (isOpen ? open : undefined))
      report(promise, `${sk} is ${isOpen ? '' : 'not '}open and ${String(after['open'])}`, { batchId });
  };
  if (sk === 'BATCH') tell(!endedBatch.includes(after['status']), 'BATCHES', String(after['batchId']));
  if (!sk.startsWith('CHUNK#')) return;
  const { pk, rail, tallies, proofs, proofsGivenUp, contradictions } = chunk.parse(after);
  const batchId = pk.slice('BATCH#'.length);
  const isUnended = Object.entries(tallies).some(([status, { count }]) => count > 0 && !endedPayout.includes(status));
  const lacked =
    rail === 'fiat' ? (tallies['completed']?.count ?? 0) - contradictions.withoutProof - proofs - proofsGivenUp : 0;
  tell(isUnended || lacked > 0, `CHUNKS#${batchId}`, batchId);
};

/** Whoever looks for all money set aside asks for its currencies: a reservation's is among them. */
export const checkFundsInSight = (report: Report, table: MemoryTable, { pk, sk }: Item): void => {
  const [, currency] = /^FUNDS#(.+)$/.exec(String(pk)) ?? [];
  if (currency === undefined || !String(sk).startsWith('BATCH#')) return;
  if (table.item({ pk: 'FUNDS#CURRENCIES', sk: `CURRENCY#${currency}` }) === undefined)
    report(promise, `money is set aside in ${currency}, which is not listed`);
};
