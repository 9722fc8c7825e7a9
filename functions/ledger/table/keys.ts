import type { PinnedFile } from '../../domain/batch/batch.ts';
import { withoutSession } from '../../domain/batch/caller.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import type { DebtBucket } from '../../domain/payout/debts.ts';
import type { Reconciliation } from '../../domain/payout/reconciliation.ts';
import type { CurrencyPair } from '../../ports/ledger/funds-ledger.ts';
import type { CheckedRail } from '../../ports/ledger/provider-check-ledger.ts';
import type { TurnKind } from '../../ports/pace.ts';
import { partitionPrefixes } from './table.ts';

/** Primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Digits of row, chunk, call, conversion and event numbers in sort keys: a file has at most 1,000,000 rows. */
const digits = 7;

const padded = (n: number): string => {
  if (!Number.isSafeInteger(n) || n < 0 || n >= 10 ** digits) throw new InvariantBroken('key_number_out_of_range');
  return n.toString().padStart(digits, '0');
};

/** Lower case: for a provider that ignores letter case, `INV-7` and `inv-7` are one payout. */
const sameReference = (reference: string): string => reference.toLowerCase();
export const isReferenceUnder = (prefix: string, reference: string): boolean =>
  sameReference(reference).startsWith(sameReference(prefix));

const fundsPartition = (currency: string): string => `${partitionPrefixes.funds}${currency}`;

/** Partition keys of the kinds of items that queries read together. No currency is named `LOCKS` or `CURRENCIES`. */
export const partitions = {
  batch: (batchId: string): string => `${partitionPrefixes.batch}${batchId}`,
  chunk: (batchId: string, chunk: number): string => `${partitionPrefixes.chunk}${batchId}#${chunk}`,
  funds: fundsPartition,
  debts: ({ bits, bucket }: Pick<DebtBucket, 'bits' | 'bucket'>): string =>
    `${partitionPrefixes.debts}${bits}#${bucket}`,
  /** All treasury locks share one partition, so that they can be listed; they are few and rare. */
  pairLocks: fundsPartition('LOCKS'),
  /** The list of currencies in which money was ever reserved, in one partition. */
  currencies: fundsPartition('CURRENCIES'),
  released: (day: string): string => `${partitionPrefixes.released}${day}`,
  events: (batchId: string): string => `${partitionPrefixes.events}${batchId}`,
} as const;

/** The prefix of the sort keys of each kind of item, for queries. */
export const sortPrefixes = {
  chunk: 'CHUNK#',
  conversion: 'CONVERSION#',
  refusals: 'REFUSALS#',
  line: 'EVENT#',
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

const key = (pk: string, sk: string): Key => ({ pk, sk });

/** The key of every kind of item. Numbers are padded where items are read in order. */
export const keys = {
  batch: (batchId: string) => key(partitions.batch(batchId), 'BATCH'),
  follow: (batchId: string) => key(partitions.batch(batchId), 'FOLLOW'),
  reconciliation: ({ batchId, dueAt }: Pick<Reconciliation, 'batchId' | 'dueAt'>) =>
    key(partitions.batch(batchId), `${sortPrefixes.reconciliation}${dueAt}`),
  chunk: (batchId: string, chunk: number) => key(partitions.batch(batchId), `${sortPrefixes.chunk}${padded(chunk)}`),
  conversion: (batchId: string, n: number) => key(partitions.batch(batchId), `${sortPrefixes.conversion}${padded(n)}`),
  line: (batchId: string, at: string, id: string) => key(partitions.batch(batchId), `${sortPrefixes.line}${at}#${id}`),
  refusals: (batchId: string, currency: string, fingerprint: string) =>
    key(partitions.batch(batchId), `${sortPrefixes.refusals}${currency}#${fingerprint}`),
  /** Separate from the other lines of the timeline, which they would bury. */
  contradiction: (batchId: string, at: string, id: string) =>
    key(partitions.batch(batchId), `${sortPrefixes.contradiction}${at}#${id}`),
  /** In its own partition: a role that may only read batches may write this and nothing else. */
  progress: (batchId: string) => key(`${partitionPrefixes.progress}${batchId}`, 'PROGRESS'),
  payout: (batchId: string, chunk: number, row: number) =>
    key(partitions.chunk(batchId, chunk), `${sortPrefixes.payout}${padded(row)}`),
  call: (batchId: string, chunk: number, k: number) =>
    key(partitions.chunk(batchId, chunk), `${sortPrefixes.call}${padded(k)}`),
  reference: (reference: string) => key(`${partitionPrefixes.reference}${sameReference(reference)}`, 'REF'),
  fundsVersion: (currency: string) => key(partitions.funds(currency), 'RESERVED'),
  reservation: (currency: string, batchId: string) =>
    key(partitions.funds(currency), `${sortPrefixes.reservation}${batchId}`),
  currency: (currency: string) => key(partitions.currencies, `${sortPrefixes.currency}${currency}`),
  pairLock: ({ inputCurrency, outputCurrency }: CurrencyPair) =>
    key(partitions.pairLocks, `${sortPrefixes.pairLock}${inputCurrency}~${outputCurrency}`),
  webhook: (hash: string) => key(`${partitionPrefixes.webhook}${hash}`, 'WEBHOOK'),
  /** Beside the body: an id that a careless sender gives to two bodies must not hide the second. */
  webhookMessage: (hash: string, idHash: string) => key(`${partitionPrefixes.webhook}${hash}`, `MESSAGE#${idHash}`),
  providerCheck: ({ rail, settingsHash }: CheckedRail) =>
    key(`${partitionPrefixes.providerCheck}${rail}#${settingsHash}`, 'PROVIDER'),
  lookup: (reference: string) => key(`${partitionPrefixes.lookup}${reference}`, 'LOOKUP'),
  /** No reference contains a `#`. Hashed, because a stranger's id may be an account number. */
  lookupOfId: (idHash: string) => key(`${partitionPrefixes.lookup}ID#${idHash}`, 'LOOKUP'),
  /** The caller is an ARN, which contains no `#`. A key may contain one, so it comes last. */
  idempotency: (caller: string, idempotencyKey: string) =>
    key(`${partitionPrefixes.idempotency}${withoutSession(caller)}#${idempotencyKey}`, 'IDEMPOTENCY'),
  file: (file: Pick<PinnedFile, 'key' | 'versionId'>) =>
    key(`${partitionPrefixes.file}${file.key}#${file.versionId}`, 'FILE'),
  /** The sum that a day released of a currency. The day is the partition, so that one query reads all its currencies. */
  released: (day: string, currency: string) => key(partitions.released(day), `${sortPrefixes.currency}${currency}`),
  content: (sha256: string) => key(`${partitionPrefixes.content}${sha256}`, 'CONTENT'),
  debts: (bucket: Pick<DebtBucket, 'bits' | 'bucket'>, batchId: string, runId: string, part: number) =>
    key(partitions.debts(bucket), `${sortPrefixes.debts}${batchId}#${runId}#${part}`),
  /** In their own partition: the role that numbers and publishes events may write these and nothing else. */
  eventNumbers: (batchId: string) => key(partitions.events(batchId), 'NUMBERS'),
  news: (batchId: string, newsId: string) => key(partitions.events(batchId), `${sortPrefixes.news}${newsId}`),
  numbered: (batchId: string, sequence: number) =>
    key(partitions.events(batchId), `${sortPrefixes.numbered}${padded(sequence)}`),
  pace: (kind: TurnKind) => key(`${partitionPrefixes.pace}${kind}`, 'PACE'),
} as const;

/** The batch of a partition key. */
export const batchIdOfKey = (pk: string): string => pk.slice(partitionPrefixes.batch.length);

/** The batch whose events a partition holds. */
export const batchIdOfEvents = (pk: string): string => pk.slice(partitionPrefixes.events.length);

/** The batch and id of a news key. */
export const newsOfKey = ({ pk, sk }: Key): { readonly batchId: string; readonly newsId: string } => ({
  batchId: batchIdOfEvents(pk),
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
