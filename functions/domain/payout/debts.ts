import type { ChunkFile, PlannedPayout, Recipient } from '../batch/chunk-file.ts';
import { Money } from '../money/money.ts';
import { TextHash } from '../payout-file/text-hash.ts';
import { accountOf, isHashOf } from './destination.ts';
import type { Payout } from './payout.ts';
import { endedUnpaid } from './retries.ts';

/**
 * A debt takes 12 bytes, as three 32-bit numbers. The first holds 32 bits of its fingerprint. The second holds 12 more bits
 * and the row, the third 12 more and the chunk. Rows and chunks are at most 1,000,000, which fits into 20 bits.
 */
const size = 3;
const placeBits = 20;
const placeMask = 2 ** placeBits - 1;

/** Fingerprint bits that choose a debt's bucket, coarsest first. The finest suit a file of a million rows. */
export const bucketBits = [0, 5, 10] as const;
const finestBits = 10;
/** Most rows of a batch for each of these bucket sizes. Items are charged by the KB, so each should fill at least one. */
const mostRows = [2048, 65_536, Number.POSITIVE_INFINITY] as const;

/** Debts whose fingerprints begin with the same bits. */
export interface DebtBucket {
  readonly bits: number;
  readonly bucket: number;
  readonly debts: Uint32Array;
}

/** A payout's place in its batch, as one number that sorts by chunk. */
export const placeOf = (chunk: number, row: number): number => chunk * 2 ** placeBits + row;
export const chunkOfPlace = (place: number): number => Math.floor(place / 2 ** placeBits);
export const rowOfPlace = (place: number): number => place % 2 ** placeBits;

/** `10.00` becomes `10`. */
const withoutZeros = (amount: string): string => {
  if (!amount.includes('.')) return amount;
  let end = amount.length;
  while (amount.charAt(end - 1) === '0') end -= 1;
  return amount.slice(0, amount.charAt(end - 1) === '.' ? end - 1 : end);
};

const at = (debts: Uint32Array, index: number): number => debts[index] ?? 0;

const isSame = (one: Uint32Array, i: number, other: Uint32Array, j: number): boolean =>
  at(one, i) === at(other, j) &&
  ((at(one, i + 1) ^ at(other, j + 1)) & ~placeMask) === 0 &&
  ((at(one, i + 2) ^ at(other, j + 2)) & ~placeMask) === 0;

/** True when a payout has this currency, amount and destination. */
export const isSameDebt = (
  currency: string,
  { amount, recipient }: Pick<PlannedPayout, 'amount' | 'recipient'>,
  other: Pick<Payout, 'amount' | 'destinationHash'>,
): boolean => other.amount.equals(Money.of(amount, currency)) && isHashOf(other.destinationHash, recipient);

const placeIn = (debts: Uint32Array, index: number): number =>
  placeOf(at(debts, index + 2) & placeMask, at(debts, index + 1) & placeMask);

/**
 * The account as it enters a fingerprint: the same for each way to write it. The fingerprint itself ignores letter case. Banks
 * print hyphens or none. A TON address is one account whether it begins with E or U, and only its checksum at the end differs.
 */
const plainAccountOf = (recipient: Recipient, isTon: boolean): string => {
  const account = accountOf(recipient);
  if (recipient.kind === 'bank') return account.includes('-') ? account.replaceAll('-', '') : account;
  return isTon ? account.slice(1, -3) : account;
};

/**
 * Collects the debts of a file while it is planned. A debt is identified by 56 bits of a hash of its currency, amount and
 * destination. When files of a million rows are each compared with ten million other debts, one file in 7,000 has a false match:
 * a person is asked.
 * The exact texts are never compared, because two ways to write one account differ.
 */
export class FileDebts {
  readonly #debts: Uint32Array;
  readonly #hash = new TextHash();
  #length = 0;

  /** Allocates for the most rows. Memory of unused rows is never touched. */
  constructor(maxRows: number) {
    this.#debts = new Uint32Array(size * maxRows);
  }

  add({ chunk, currency, payouts }: ChunkFile): void {
    const isTon = currency.endsWith('-ton');
    for (const { row, amount, recipient } of payouts) {
      const hash = this.#hash.begin().add(currency).add(withoutZeros(amount));
      if (recipient.kind === 'bank') hash.add(recipient.bankCode);
      const { a, b } = hash.add(plainAccountOf(recipient, isTon)).end();
      this.#debts[this.#length] = a;
      this.#debts[this.#length + 1] = ((b & ~placeMask) | row) >>> 0;
      this.#debts[this.#length + 2] = ((b << placeBits) | chunk) >>> 0;
      this.#length += size;
    }
  }

  unsorted(): Uint32Array {
    return this.#debts.subarray(0, this.#length);
  }

  /** Sorts the debts. Add none afterward. */
  sorted(): SortedDebts {
    return new SortedDebts(this.unsorted());
  }
}

/** The debts of a file, sorted by bucket, in which debts of other batches are looked up. */
export class SortedDebts {
  readonly #debts: Uint32Array;
  /** Start index of each finest bucket in the debts, and the end of the last one. */
  readonly #starts = new Uint32Array(2 ** finestBits + 1);
  /**
   * Hash table: the index of each distinct debt's first row, plus one. Slots are ordered by fingerprint, so that one bucket's are
   * close together.
   */
  readonly #slots: Uint32Array;
  readonly #slotBits: number;
  /** Rows that repeat an earlier row's debt: the place of each, and of the earlier row. */
  readonly repeats = new Map<number, number>();

  constructor(unsorted: Uint32Array) {
    this.#debts = this.#sort(unsorted);
    this.#slotBits = Math.max(1, Math.ceil(Math.log2((2 * unsorted.length) / size + 1)));
    this.#slots = new Uint32Array(2 ** this.#slotBits);
    for (let index = 0; index < this.#debts.length; index += size) this.#enter(index);
  }

  #sort(unsorted: Uint32Array): Uint32Array {
    const shift = 32 - finestBits;
    const starts = this.#starts;
    for (let index = 0; index < unsorted.length; index += size) {
      const next = (at(unsorted, index) >>> shift) + 1;
      starts[next] = at(starts, next) + size;
    }
    for (let bucket = 1; bucket < starts.length; bucket += 1)
      starts[bucket] = at(starts, bucket) + at(starts, bucket - 1);
    const ends = starts.slice();
    const sorted = new Uint32Array(unsorted.length);
    for (let index = 0; index < unsorted.length; index += size) {
      const bucket = at(unsorted, index) >>> shift;
      const to = at(ends, bucket);
      for (let word = 0; word < size; word += 1) sorted[to + word] = at(unsorted, index + word);
      ends[bucket] = to + size;
    }
    return sorted;
  }

  /** The slot of an equal debt, or the free slot where it would go. */
  #slotOf(debts: Uint32Array, index: number): number {
    const last = this.#slots.length - 1;
    let slot = at(debts, index) >>> (32 - this.#slotBits);
    for (; ; slot = (slot + 1) & last) {
      const held = at(this.#slots, slot);
      if (held === 0 || isSame(this.#debts, held - 1, debts, index)) return slot;
    }
  }

  #enter(index: number): void {
    const slot = this.#slotOf(this.#debts, index);
    const held = at(this.#slots, slot);
    if (held === 0) {
      this.#slots[slot] = index + 1;
      return;
    }
    const [one, other] = [placeIn(this.#debts, held - 1), placeIn(this.#debts, index)];
    const isEarlier = rowOfPlace(other) < rowOfPlace(one);
    if (isEarlier) this.#slots[slot] = index + 1;
    this.repeats.set(isEarlier ? one : other, isEarlier ? other : one);
  }

  /** The non-empty buckets at this number of bits. */
  buckets(bits: number): readonly DebtBucket[] {
    const finest = 2 ** (finestBits - bits);
    return Array.from({ length: 2 ** bits }, (_, bucket) => {
      const [from, to] = [at(this.#starts, bucket * finest), at(this.#starts, (bucket + 1) * finest)];
      return { bits, bucket, debts: this.#debts.subarray(from, to) };
    }).filter(({ debts }) => debts.length > 0);
  }

  /** The buckets to store: as few as keep an item small. */
  toStore(): readonly DebtBucket[] {
    const rows = this.#debts.length / size;
    return this.buckets(bucketBits[mostRows.findIndex((most) => rows <= most)] ?? finestBits);
  }

  /**
   * Yields debts of another batch that this file has too: the place of the file's first row with the debt, and the other's place.
   */
  *shared(debts: Uint32Array): Generator<readonly [own: number, other: number]> {
    for (let index = 0; index < debts.length; index += size) {
      const held = at(this.#slots, this.#slotOf(debts, index));
      if (held !== 0) yield [placeIn(this.#debts, held - 1), placeIn(debts, index)];
    }
  }
}

/** True when a payout was made and nothing contradicts it. */
export const isPaidForSure = ({ status, contradictions = [] }: Pick<Payout, 'status' | 'contradictions'>): boolean =>
  status === 'completed' && contradictions.length === 0;

/** True when a payout of another batch paid its debt, or may still pay it. False when it certainly ended unpaid. */
export const mayPayDebt = (payout: Pick<Payout, 'status' | 'reason' | 'contradictions'>): boolean =>
  !endedUnpaid(payout);
