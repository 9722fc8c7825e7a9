import { isDeepStrictEqual } from 'node:util';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { readConversion, readReservation } from '../../../functions/ledger/funds/funds-codec.ts';
import { readChunkRecord } from '../../../functions/ledger/payouts/payout-codec.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { amountText, larger, millionths, smaller, unitOf } from '../provider/money.ts';
import type { Timeline } from '../world/timeline.ts';
import type { Report } from './violation.ts';

/** Money that the provider has taken, or never will: written down here a second time, apart from functions/domain. */
const settled: readonly string[] = ['pending', 'on_hold', 'quarantined', 'completed', 'failed', 'canceled', 'rejected'];

/** What a batch holds of a currency, and what it held before: the value and until when. */
interface Held {
  reserved: bigint;
  /** What a conversion may bring that nobody knows the outcome of. */
  expected: bigint;
  /** Payouts of the currency that its file has. */
  planned: { readonly count: number; readonly amount: bigint } | undefined;
  readonly settledByChunk: Map<number, { readonly count: number; readonly amount: bigint; readonly fee: bigint }>;
  readonly past: { readonly until: number; readonly outstanding: bigint }[];
}

/** Longest time from a plan's first read to its making: PlanFunding may take no longer. */
const planMs = 90_000;

const outstandingOf = ({ reserved, planned, settledByChunk }: Held): bigint => {
  const chunks = [...settledByChunk.values()];
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  if (planned === undefined) return reserved;
  if (count === planned.count) return 0n;
  const [amount, told] = [sumOf(chunks, 'amount'), sumOf(chunks, 'fee')];
  const fees = reserved > planned.amount ? reserved - planned.amount : 0n;
  // However large a fee is told, that of others is held.
  const [byCount, byAmount] = [(fees * BigInt(count)) / BigInt(planned.count), (fees * amount) / planned.amount];
  const most = larger(byCount, byAmount);
  // Ten times as much is no fee that anybody charges.
  const freed = told > 10n * most ? smaller(byCount, byAmount) : smaller(told, most);
  return larger(reserved - amount - freed, 0n);
};

const sumOf = (chunks: readonly { readonly amount: bigint; readonly fee: bigint }[], of: 'amount' | 'fee'): bigint =>
  chunks.reduce((sum, chunk) => sum + chunk[of], 0n);

/**
 * Holds each funding plan against what other batches had set aside and not spent while it was made. Told too little, money is
 * promised twice; told too much, a batch waits for money, or converts for it, that nobody needs.
 */
export class FundsWatch {
  readonly #timeline: Timeline;
  readonly #writer: () => string;
  readonly #report: Report;
  /** When the reservations of a currency changed last. */
  readonly #changed = new Map<string, number>();
  /** By who set money aside and its currency: when those that stood then had changed last. It must know them all. */
  readonly #knownSince = new Map<string, number>();
  /** Batches that may set money aside. */
  readonly #funded = new Set<string>();
  /** By currency, then by batch. */
  readonly #held = new Map<string, Map<string, Held>>();

  /** @param writer who writes what it hears of */
  constructor(timeline: Timeline, writer: () => string, report: Report) {
    this.#timeline = timeline;
    this.#writer = writer;
    this.#report = report;
  }

  /** Hears of each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      const [pk, sk] = [String((after ?? before)?.['pk']), String((after ?? before)?.['sk'])];
      if (pk.startsWith('FUNDS#') && sk.startsWith('BATCH#')) this.#reserves(pk.slice('FUNDS#'.length), before, after);
      else if (sk.startsWith('CHUNK#') && after !== undefined) this.#settles(after);
      else if (sk.startsWith('CONVERSION#') && after !== undefined) this.#expects(after, changes);
      else if (sk === 'BATCH' && after !== undefined) {
        this.#isFunded(after);
        if (!isDeepStrictEqual(before?.['funding'], after['funding'])) this.#plans(after);
      }
    }
  }

  /** What others may be told that it holds: of what it expects all while it is being funded, and nothing after that. */
  #told(batchId: string, held: Held): readonly bigint[] {
    const withExpected = outstandingOf(held) + held.expected;
    return this.#funded.has(batchId) ? [withExpected] : [outstandingOf(held), withExpected];
  }

  #heldBy(batchId: string, currency: string): Held {
    const ofCurrency = this.#held.get(currency) ?? new Map<string, Held>();
    const held: Held = ofCurrency.get(batchId) ?? {
      reserved: 0n,
      expected: 0n,
      planned: undefined,
      settledByChunk: new Map(),
      past: [],
    };
    this.#held.set(currency, ofCurrency.set(batchId, held));
    for (const outstanding of this.#told(batchId, held)) held.past.push({ until: this.#timeline.now, outstanding });
    return held;
  }

  #reserves(currency: string, before: Item | undefined, after: Item | undefined): void {
    const read = readReservation(currency);
    const { batchId } = read({ ...(after ?? before) });
    const held = this.#heldBy(batchId, currency);
    held.reserved = after === undefined ? 0n : millionths(read({ ...after }).amount.amount);
    this.#knownSince.set(`${this.#writer()} ${currency}`, this.#changed.get(currency) ?? 0);
    this.#changed.set(currency, this.#timeline.now);
  }

  #settles(item: Item): void {
    const { batchId, chunk, currency, tallies } = readChunkRecord({ ...item });
    const known = Object.entries(tallies).flatMap(([status, tally]) => (settled.includes(status) ? [tally] : []));
    this.#heldBy(batchId, currency).settledByChunk.set(chunk, {
      count: known.reduce((sum, { count }) => sum + count, 0),
      amount: known.reduce((sum, { amount }) => sum + millionths(amount.amount), 0n),
      fee: known.reduce((sum, { fee }) => sum + millionths(fee.amount), 0n),
    });
  }

  /** What it brings is its batch's from the write on that says so. */
  #expects(item: Item, changes: readonly TableChange[]): void {
    const { batchId, planned, output = planned.output, status } = readConversion({ ...item });
    const { currency } = output;
    const isOpen = status === 'claimed' || status === 'unknown';
    this.#heldBy(batchId, currency).expected = isOpen ? millionths(output.amount) : 0n;
    if (!this.#funded.has(batchId) || (status !== 'completed' && status !== 'inferred')) return;
    const own = changes.find(
      ({ after }) => after?.['pk'] === `FUNDS#${currency}` && after['sk'] === `BATCH#${batchId}`,
    );
    const amountOf = (reserved: Item | undefined): bigint =>
      reserved === undefined ? 0n : millionths(readReservation(currency)({ ...reserved }).amount.amount);
    if (amountOf(own?.after) - amountOf(own?.before) === millionths(output.amount)) return;
    this.#report('money set aside', `a conversion brought ${output.amount}, and that is nobody's`, { batchId });
  }

  #isFunded(item: Item): void {
    const { batchId, status, cancelRequestedAt } = readBatch({ ...item });
    for (const [currency, held] of this.#held) if (held.has(batchId)) this.#heldBy(batchId, currency);
    if (cancelRequestedAt === undefined && (status === 'validating' || status === 'awaiting_funds'))
      this.#funded.add(batchId);
    else this.#funded.delete(batchId);
  }

  #plans(item: Item): void {
    const { batchId, funding, plan } = readBatch({ ...item });
    for (const { currency, count, amount } of plan?.currencies ?? [])
      this.#heldBy(batchId, currency).planned = { count, amount: millionths(amount.amount) };
    for (const { currency, reservedByOthers } of funding?.currencies ?? []) {
      const since = Math.max(
        Date.parse(funding?.plannedAt ?? '') - planMs,
        this.#knownSince.get(`${this.#writer()} ${currency}`) ?? 0,
      );
      const ranges = [...(this.#held.get(currency) ?? [])]
        .filter(([other]) => other !== batchId)
        .map(([other, held]) => [
          ...this.#told(other, held),
          ...held.past.filter(({ until }) => until > since).map(({ outstanding }) => outstanding),
        ]);
      const sum = (pick: (values: readonly bigint[]) => bigint | undefined): bigint =>
        ranges.reduce((all, values) => all + (pick(values) ?? 0n), 0n);
      const sorted = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : 1));
      const [least, most] = [sum((values) => sorted(values)[0]), sum((values) => sorted(values).at(-1))];
      const told = millionths(reservedByOthers.amount);
      // Shares of fees are rounded.
      if (told >= least && told <= most + unitOf(2) * BigInt(ranges.length)) continue;
      const between = `${amountText(least)} to ${amountText(most)} ${currency}`;
      this.#report('money set aside', `others are told to hold ${amountText(told)}, not ${between}`, { batchId });
    }
  }
}
