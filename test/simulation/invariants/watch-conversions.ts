import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { readConversion, readPairLock, readReservation } from '../../../functions/ledger/funds/funds-codec.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { amountText, larger, millionths, smaller, unitOf } from '../provider/money.ts';
import type { ProviderTerms } from '../provider/service.ts';
import type { TrueConversion, TruePayment, Truth, TruthWatcher } from '../provider/truth.ts';
import type { Timeline } from '../world/timeline.ts';
import type { Report } from './violation.ts';
import { threeAbsencesMs } from './watch-ledger.ts';

export interface ConversionWatchParts {
  readonly timeline: Timeline;
  readonly truth: Truth;
  readonly report: Report;
  readonly table: () => MemoryTable;
  readonly terms: Pick<ProviderTerms, 'balanceDecimals' | 'fees' | 'feeFactor'>;
}

/** Longest time from the look at the balance behind a conversion to its execution: Convert's timeout plus network delay. */
const lookMs = 240_000;
/** After this time an unknown outcome is a person's to settle. Until then its batch is short by that amount. */
const personMs = 120_000;
/** A batch waits no longer than this for amounts that others do not know. */
const patienceMs = 30 * 60_000;
const fiat = 'IDR';

interface Look {
  readonly at: number;
  readonly balance: bigint;
  /** The amounts that batches still need, by the provider's books. */
  readonly needs: ReadonlyMap<string, bigint>;
}

/** Compares each conversion with its batch's shortfall at every earlier report of the balance. */
export class ConversionWatch implements Pick<TruthWatcher, 'balancesRead' | 'converted'> {
  readonly #parts: ConversionWatchParts;
  #looks: Look[] = [];

  constructor(parts: ConversionWatchParts) {
    this.#parts = parts;
  }

  /** When the provider reports fees that it does not charge, the free part of the reserved fees is unknown. */
  #unknownFees(): bigint {
    const { truth, terms } = this.#parts;
    if (terms.feeFactor === 1n) return 0n;
    return truth.payments.filter(({ currency }) => currency === fiat).reduce((sum, { fee }) => sum + fee, 0n);
  }

  balancesRead(): void {
    const { timeline, truth } = this.#parts;
    const since = timeline.now - lookMs;
    const look = { at: timeline.now, balance: truth.balance(fiat), needs: this.#needs() };
    this.#looks = [...this.#looks.filter(({ at }) => at >= since), look];
  }

  converted({ quoteId, output }: TrueConversion): void {
    const { timeline, report, table, terms } = this.#parts;
    const items = table().items('BATCH#');
    const made = items.find(({ sk, quoteId: id }) => String(sk).startsWith('CONVERSION#') && id === quoteId);
    if (made === undefined) return;
    const { batchId } = readConversion({ ...made });
    const { funding } = this.#batch(batchId);
    const unclearMs = timeline.now - Date.parse(funding?.unclearSince ?? new Date(timeline.now).toISOString());
    const needed = funding?.currencies.find(({ currency }) => currency === fiat)?.required;
    const required = millionths(needed?.amount ?? '0');
    if (unclearMs >= patienceMs) return;
    const missing = this.#looks
      .filter(({ at }) => at >= timeline.now - lookMs)
      .map(({ balance, needs }) => {
        const others = [...needs].reduce((sum, [other, need]) => (other === batchId ? sum : sum + need), 0n);
        return balance > others ? required - (balance - others) : required;
      })
      .reduce(larger, 0n);
    if (output <= missing + unitOf(terms.balanceDecimals) + this.#unknownFees()) return;
    report('only shortfalls are converted', `${amountText(output)} of ${amountText(missing)}`, { batchId });
  }

  #batch(batchId: string) {
    return readBatch({ ...this.#parts.table().item({ pk: `BATCH#${batchId}`, sk: 'BATCH' }) });
  }

  /** The payout of the batch that this payment pays. */
  #payoutOf(batchId: string, { reference }: TruePayment): Item | undefined {
    const table = this.#parts.table();
    const holder = table.item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
    if (holder?.['batchId'] !== batchId) return undefined;
    const row = String(holder['row']).padStart(7, '0');
    return table.item({ pk: `CHUNK#${batchId}#${String(holder['chunk'])}`, sk: `PAYOUT#${row}` });
  }

  /**
   * True when the batch knows the payment. One that was hidden until it counted as absent is unknown while its payout is
   * `ready`. That holds even once it is visible, because nothing looks it up before it is submitted again. That money is
   * still reserved.
   */
  #isKnown(batchId: string, payment: TruePayment): boolean {
    const payout = this.#payoutOf(batchId, payment);
    if (payout === undefined) return false;
    return payment.visibleAt - payment.createdAt <= threeAbsencesMs || payout['status'] !== 'ready';
  }

  /** A payout may be quarantined before anything shows its fee. That part of the fees stays reserved. */
  #hasUnseenFee(batchId: string, payment: TruePayment): boolean {
    const { status, fee } = this.#payoutOf(batchId, payment) ?? {};
    return status === 'quarantined' && fee === undefined;
  }

  /** By batch: money reserved and not taken yet, plus expected money that has arrived or that a person has to settle. */
  #needs(): ReadonlyMap<string, bigint> {
    const { timeline, truth } = this.#parts;
    const table = this.#parts.table();
    const needs = new Map<string, bigint>();
    for (const item of table.partition(`FUNDS#${fiat}`, 'BATCH#')) {
      const { batchId, amount: reserved } = readReservation(fiat)({ ...item });
      const mine = truth.payments.filter(
        (payment) => payment.madeBy === 'orchestrator' && payment.currency === fiat && this.#isKnown(batchId, payment),
      );
      const paid = mine.reduce((sum, payment) => sum + payment.amount, 0n);
      // A fee beyond its estimate could not be reserved.
      const fees = mine
        .filter((payment) => !this.#hasUnseenFee(batchId, payment))
        .reduce((sum, { fee }) => sum + smaller(fee, this.#parts.terms.fees[fiat] ?? 0n), 0n);
      needs.set(batchId, larger(millionths(reserved.amount) - paid - fees, 0n));
    }
    for (const item of table.partition('FUNDS#LOCKS', 'LOCK#')) {
      const [, batchId = '', n = ''] = /^(.+)#(\d+)$/.exec(readPairLock({ ...item }).holder) ?? [];
      const claimed = table.item({ pk: `BATCH#${batchId}`, sk: `CONVERSION#${n.padStart(7, '0')}` });
      if (claimed === undefined) continue;
      const { quoteId, claimedAt, planned, output = planned.output } = readConversion({ ...claimed });
      const isMade = truth.conversions.some((made) => made.quoteId === quoteId);
      const isOld = timeline.now - Date.parse(claimedAt) >= personMs;
      if (isMade || isOld) needs.set(batchId, (needs.get(batchId) ?? 0n) + millionths(output.amount));
    }
    return needs;
  }
}
