import type { Timeline } from '../world/timeline.ts';
import { amountText } from './money.ts';

export type Rail = 'fiat' | 'crypto';
export type Word = 'pending' | 'pending_retry' | 'processed' | 'need_check' | 'completed' | 'failed' | 'canceled';

/** A payment that the provider made, or has under way: the truth that the ledger is compared with. */
export interface TruePayment {
  readonly id: string;
  readonly groupId: string;
  readonly rail: Rail;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: bigint;
  /** What the provider tells as its fee; absent: what it took. */
  readonly toldFee?: bigint;
  readonly reference: string;
  /** Bank code and account number, recipient id, or wallet. */
  readonly destination: Readonly<Record<string, string>>;
  /** `outsider`: made by another system of the merchant, under a reference that it should not have used. */
  readonly madeBy: 'orchestrator' | 'outsider';
  readonly createdAt: number;
  /** From when look-ups and lists show it. */
  readonly visibleAt: number;
  /** Its reference is lost: no look-up or search by it finds it, and no record tells it. */
  readonly isNameless?: boolean;
  status: Word;
  /** When it came to its status, if it had another before. */
  changedAt?: number;
  /** When a bank returned it, of which no webhook tells. */
  returnedAt?: number;
  /** Every status it had, in order. */
  readonly words: Word[];
  /** Since when it had each of them. */
  readonly since: number[];
}

/** A payment as it stands, or stood, at some time. */
export interface Appearance {
  readonly payment: TruePayment;
  readonly word: Word;
  /** When it came to that status. */
  readonly changedAt: number;
}

export interface TrueConversion {
  readonly convertId: string;
  readonly quoteId: string;
  readonly inputCurrency: string;
  readonly input: bigint;
  readonly outputCurrency: string;
  readonly output: bigint;
}

/** What a look-up of the truth reports to whoever watches the run. */
export interface TruthWatcher {
  created(payment: TruePayment): void;
  changed(payment: TruePayment, from: Word): void;
  converted(conversion: TrueConversion): void;
  /** The balances are about to be told. */
  told?(): void;
  /** A payment or a conversion was refused for want of money. */
  refusedForMoney(currency: string, what: string): void;
}

const appearanceOf = (payment: TruePayment, asOf: number): Appearance => {
  const last = payment.since.findLastIndex((since) => since <= asOf);
  return {
    payment,
    word: payment.words[last] ?? payment.status,
    changedAt: payment.since[last] ?? payment.createdAt,
  };
};

const refunded: readonly Word[] = ['failed', 'canceled'];

/** The provider's own books. Nothing in it is ever uncertain. */
export class Truth {
  readonly payments: TruePayment[] = [];
  readonly conversions: TrueConversion[] = [];
  readonly balances = new Map<string, bigint>();
  /** What nobody could set aside: taken by other spenders, or as fees beyond what was told of them. */
  readonly #lost = new Map<string, bigint>();
  readonly #timeline: Timeline;
  readonly #watchers: TruthWatcher[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  watch(watcher: TruthWatcher): void {
    this.#watchers.push(watcher);
  }

  balance(currency: string): bigint {
    return this.balances.get(currency) ?? 0n;
  }

  add(currency: string, amount: bigint): void {
    this.balances.set(currency, this.balance(currency) + amount);
  }

  lose(currency: string, amount: bigint): void {
    this.#lost.set(currency, (this.#lost.get(currency) ?? 0n) + amount);
  }

  /** Another system of the merchant takes so many percent of a balance. */
  spend(currency: string, percent: bigint): void {
    const amount = (this.balance(currency) * percent) / 100n;
    this.add(currency, -amount);
    this.lose(currency, amount);
  }

  tell(): ReadonlyMap<string, bigint> {
    for (const watcher of this.#watchers) watcher.told?.();
    return this.balances;
  }

  /** In any letter case: `INV-7` and `inv-7` are one debt. */
  byReference(reference: string): readonly TruePayment[] {
    return this.payments.filter((payment) => payment.reference.toLowerCase() === reference.toLowerCase());
  }

  byId(id: string): TruePayment | undefined {
    return this.payments.find((payment) => payment.id === id);
  }

  /**
   * What look-ups and lists show now, in order of creation.
   *
   * @param asOf shown as it was then, by who is behind
   */
  shown(now = this.#timeline.now, asOf = now): readonly Appearance[] {
    return this.payments
      .filter(({ visibleAt, createdAt }) => visibleAt <= now && createdAt <= asOf)
      .map((payment) => appearanceOf(payment, asOf));
  }

  create(payment: TruePayment): void {
    if (payment.madeBy === 'orchestrator') this.add(payment.currency, -(payment.amount + payment.fee));
    this.payments.push(payment);
    for (const watcher of this.#watchers) watcher.created(payment);
  }

  move(payment: TruePayment, to: Word): void {
    const from = payment.status;
    if (from === to) return;
    payment.status = to;
    payment.words.push(to);
    payment.since.push(this.#timeline.now);
    payment.changedAt = this.#timeline.now;
    // What was given back is not taken again when a payment that failed is completed after all: nobody could set that aside.
    const isGivenBack = refunded.includes(to) && !payment.words.slice(0, -1).some((word) => refunded.includes(word));
    if (payment.madeBy === 'orchestrator' && isGivenBack) this.add(payment.currency, payment.amount + payment.fee);
    for (const watcher of this.#watchers) watcher.changed(payment, from);
  }

  convert(conversion: TrueConversion): void {
    this.add(conversion.inputCurrency, -conversion.input);
    this.add(conversion.outputCurrency, conversion.output);
    this.conversions.push(conversion);
    for (const watcher of this.#watchers) watcher.converted(conversion);
  }

  refuseForMoney(currency: string, needed: bigint): void {
    if (needed - this.balance(currency) <= (this.#lost.get(currency) ?? 0n)) return;
    const what = `${amountText(needed)} ${currency} of ${amountText(this.balance(currency))}`;
    for (const watcher of this.#watchers) watcher.refusedForMoney(currency, what);
  }
}
