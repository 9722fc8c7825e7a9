import type { PinnedFile } from '../../domain/batch/batch.ts';
import { withoutSession } from '../../domain/batch/caller.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import type { DebtBucket } from '../../domain/payout/debts.ts';
import type { CheckedRail } from '../../ports/ledger/provider-check-ledger.ts';
import type { TurnKind } from '../../ports/pace.ts';
import { partitionPrefixes } from './table.ts';

/** Primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Digits of row, chunk and call numbers in sort keys. A file has at most 1,000,000 rows, so no number is longer. */
const digits = 7;

const padded = (n: number): string => {
  if (!Number.isSafeInteger(n) || n < 0 || n >= 10 ** digits) throw new InvariantBroken('key_number_out_of_range');
  return n.toString().padStart(digits, '0');
};

/** Lower case: for a provider that ignores letter case, `INV-7` and `inv-7` are one payout. */
const sameReference = (reference: string): string => reference.toLowerCase();
export const isReferenceUnder = (prefix: string, reference: string): boolean =>
  sameReference(reference).startsWith(sameReference(prefix));

const batchPartition = (batchId: string): string => `${partitionPrefixes.batch}${batchId}`;
const chunkPartition = (batchId: string, chunk: number): string => `${partitionPrefixes.chunk}${batchId}#${chunk}`;
const debtsPartition = ({ bits, bucket }: Pick<DebtBucket, 'bits' | 'bucket'>): string =>
  `${partitionPrefixes.debts}${bits}#${bucket}`;
const releasedPartition = (day: string): string => `${partitionPrefixes.released}${day}`;
const eventsPartition = (batchId: string): string => `${partitionPrefixes.events}${batchId}`;
const fundsPartition = (currency: string): string => `${partitionPrefixes.funds}${currency}`;

/** All treasury locks share one partition, so that they can be listed; they are few and rare. No currency has this name. */
const pairLocksPartition = fundsPartition('LOCKS');

/** The list of currencies in which money was ever reserved, in one partition. No currency has this name. */
const currenciesPartition = fundsPartition('CURRENCIES');

/** The prefix of the sort keys of each kind of item, for queries. */
export const sortPrefixes = {
  chunk: 'CHUNK#',
  conversion: 'CONVERSION#',
  refusals: 'REFUSALS#',
  event: 'EVENT#',
  contradiction: 'CONTRADICTION#',
  payout: 'PAYOUT#',
  call: 'CALL#',
  reservation: 'BATCH#',
  pairLock: 'LOCK#',
  currency: 'CURRENCY#',
  reconciliation: 'RECONCILE#',
  debts: 'BATCH#',
  news: 'NEWS#',
  numbered: 'NUMBERED#',
} as const;

/** The key of every kind of item. Numbers are padded where items are read in order. */
export const keys = {
  batch: (batchId: string): Key => ({ pk: batchPartition(batchId), sk: 'BATCH' }),
  follow: (batchId: string): Key => ({ pk: batchPartition(batchId), sk: 'FOLLOW' }),
  reconciliation: (batchId: string, dueAt: string): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.reconciliation}${dueAt}`,
  }),
  chunk: (batchId: string, chunk: number): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.chunk}${padded(chunk)}`,
  }),
  conversion: (batchId: string, n: number): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.conversion}${padded(n)}`,
  }),
  event: (batchId: string, at: string, id: string): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.event}${at}#${id}`,
  }),
  refusals: (batchId: string, currency: string, words: string): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.refusals}${currency}#${words}`,
  }),
  /** Separate from the other timeline events, which they would bury. */
  contradiction: (batchId: string, at: string, id: string): Key => ({
    pk: batchPartition(batchId),
    sk: `${sortPrefixes.contradiction}${at}#${id}`,
  }),
  /** In its own partition: a role that may only read batches may write this and nothing else. */
  progress: (batchId: string): Key => ({ pk: `${partitionPrefixes.progress}${batchId}`, sk: 'PROGRESS' }),
  payout: (batchId: string, chunk: number, row: number): Key => ({
    pk: chunkPartition(batchId, chunk),
    sk: `${sortPrefixes.payout}${padded(row)}`,
  }),
  call: (batchId: string, chunk: number, k: number): Key => ({
    pk: chunkPartition(batchId, chunk),
    sk: `${sortPrefixes.call}${padded(k)}`,
  }),
  reference: (reference: string): Key => ({
    pk: `${partitionPrefixes.reference}${sameReference(reference)}`,
    sk: 'REF',
  }),
  fundsVersion: (currency: string): Key => ({ pk: fundsPartition(currency), sk: 'RESERVED' }),
  reservation: (currency: string, batchId: string): Key => ({
    pk: fundsPartition(currency),
    sk: `${sortPrefixes.reservation}${batchId}`,
  }),
  currency: (currency: string): Key => ({ pk: currenciesPartition, sk: `${sortPrefixes.currency}${currency}` }),
  pairLock: (inputCurrency: string, outputCurrency: string): Key => ({
    pk: pairLocksPartition,
    sk: `${sortPrefixes.pairLock}${inputCurrency}~${outputCurrency}`,
  }),
  webhook: (hash: string): Key => ({ pk: `${partitionPrefixes.webhook}${hash}`, sk: 'WEBHOOK' }),
  /** Beside the body: an id that a careless sender gives to two bodies must not hide the second. */
  webhookMessage: (hash: string, idHash: string): Key => ({
    pk: `${partitionPrefixes.webhook}${hash}`,
    sk: `MESSAGE#${idHash}`,
  }),
  providerCheck: ({ rail, settingsHash }: CheckedRail): Key => ({
    pk: `${partitionPrefixes.providerCheck}${rail}#${settingsHash}`,
    sk: 'PROVIDER',
  }),
  lookup: (reference: string): Key => ({ pk: `${partitionPrefixes.lookup}${reference}`, sk: 'LOOKUP' }),
  /** No reference contains a `#`. Hashed, because a stranger's id may be an account number. */
  lookupOfId: (idHash: string): Key => ({ pk: `${partitionPrefixes.lookup}ID#${idHash}`, sk: 'LOOKUP' }),
  /** The caller is an ARN, which contains no `#`. A key may contain one, so it comes last. */
  idempotency: (caller: string, key: string): Key => ({
    pk: `${partitionPrefixes.idempotency}${withoutSession(caller)}#${key}`,
    sk: 'IDEMPOTENCY',
  }),
  file: (file: Pick<PinnedFile, 'key' | 'versionId'>): Key => ({
    pk: `${partitionPrefixes.file}${file.key}#${file.versionId}`,
    sk: 'FILE',
  }),
  /** The sum that a day released of a currency. The day is the partition, so that one query reads all its currencies. */
  released: (day: string, currency: string): Key => ({
    pk: releasedPartition(day),
    sk: `${sortPrefixes.currency}${currency}`,
  }),
  content: (sha256: string): Key => ({ pk: `${partitionPrefixes.content}${sha256}`, sk: 'CONTENT' }),
  debts: (of: Pick<DebtBucket, 'bits' | 'bucket'>, batchId: string, runId: string, part: number): Key => ({
    pk: debtsPartition(of),
    sk: `${sortPrefixes.debts}${batchId}#${runId}#${part}`,
  }),
  /** In their own partition: the role that numbers and publishes events may write these and nothing else. */
  eventNumbers: (batchId: string): Key => ({ pk: eventsPartition(batchId), sk: 'NUMBERS' }),
  news: (batchId: string, newsId: string): Key => ({
    pk: eventsPartition(batchId),
    sk: `${sortPrefixes.news}${newsId}`,
  }),
  numbered: (batchId: string, sequence: number): Key => ({
    pk: eventsPartition(batchId),
    sk: `${sortPrefixes.numbered}${padded(sequence)}`,
  }),
  pace: (kind: TurnKind): Key => ({ pk: `${partitionPrefixes.pace}${kind}`, sk: 'PACE' }),
} as const;

/** Partition keys for queries over the items of a batch, a chunk or a currency. */
export const partitions = {
  batch: batchPartition,
  chunk: chunkPartition,
  funds: fundsPartition,
  debts: debtsPartition,
  pairLocks: pairLocksPartition,
  currencies: currenciesPartition,
  released: releasedPartition,
  events: eventsPartition,
} as const;

/** The batch of a partition key. */
export const batchIdOfKey = (pk: string): string => pk.slice(partitionPrefixes.batch.length);

/** The batch and id of a news key. */
export const newsOfKey = ({ pk, sk }: Key): { readonly batchId: string; readonly newsId: string } => ({
  batchId: pk.slice(partitionPrefixes.events.length),
  newsId: sk.slice(sortPrefixes.news.length),
});

/** The batch and chunk of a chunk record's key. The record does not repeat them. */
export const chunkOfKey = ({ pk, sk }: Key): { readonly batchId: string; readonly chunk: number } => ({
  batchId: batchIdOfKey(pk),
  chunk: Number(sk.slice(sortPrefixes.chunk.length)),
});

/** The payout of a key. */
export const placeOfPayoutKey = ({ pk, sk }: Key) => {
  const place = pk.slice(partitionPrefixes.chunk.length);
  const end = place.lastIndexOf('#');
  return {
    batchId: place.slice(0, end),
    chunk: Number(place.slice(end + 1)),
    row: Number(sk.slice(sortPrefixes.payout.length)),
  };
};

/** The value of `open` that indexes batches that have not ended. */
export const openBatches = 'BATCHES';
/** The value of `open` that indexes reconciliations still to be made. */
export const openReconciliations = 'RECONCILIATIONS';
/** The value of `open` that indexes batches with events that are numbered but not published. */
export const openEvents = 'EVENTS';

/** A batch's sort key in the index of its day: by time, then by id when two share a millisecond. */
export const createdAtAndId = (createdAt: string, batchId: string): string => `${createdAt}#${batchId}`;

/** The batch id of such a sort key. */
export const batchIdOfCreatedAt = (createdAtAndBatchId: string): string =>
  createdAtAndBatchId.slice(createdAtAndBatchId.indexOf('#') + 1);

/** UTC day of an ISO 8601 time, YYYY-MM-DD. */
export const dayOf = (at: string): string => at.slice(0, 10);
