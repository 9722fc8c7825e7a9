import type { Timeline } from '../world/timeline.ts';
import { amountText } from './money.ts';

export type Rail = 'fiat' | 'crypto';
export type Word = 'pending' | 'pending_retry' | 'processed' | 'need_check' | 'completed' | 'failed' | 'canceled';

/** A payment that the provider has made or is making: the truth that the ledger is compared with. */
export interface TruePayment {
  readonly id: string;
  readonly groupId: string;
  readonly rail: Rail;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: bigint;
  /** The fee that the provider reports. Undefined when it reports the fee that it took. */
  readonly shownFee?: bigint;
  readonly reference: string;
  /** Bank code and account number, recipient id, or wallet. */
  readonly destination: Readonly<Record<string, string>>;
  /** `outsider` for a payment by another system of the merchant, under a reference that it should not have used. */
  readonly madeBy: 'orchestrator' | 'outsider';
  readonly createdAt: number;
  /** When lookups and lists begin to show it. */
  readonly visibleAt: number;
  /** True when its reference is lost: no lookup or search by it finds it, and no record shows it. */
  readonly isNameless?: boolean;
  status: Word;
  /** When it got its status, if it had another before. */
  changedAt?: number;
  /** When a bank returned it. No webhook reports that. */
  returnedAt?: number;
  /** Every status it had, in order. */
  readonly words: Word[];
  /** When it got each of them. */
  readonly since: number[];
}

/** A payment as it appears, or appeared, at some time. */
export interface Appearance {
  readonly payment: TruePayment;
  readonly word: Word;
  /** When it got that status. */
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

/** Observes the truth during a run. */
export interface TruthWatcher {
  created(payment: TruePayment): void;
  changed(payment: TruePayment, from: Word): void;
  converted(conversion: TrueConversion): void;
  /** Called just before the balances are reported. */
  balancesRead?(): void;
  /** Called when a payment or a conversion was refused for lack of money. */
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

/** The provider's own books. Nothing in them is uncertain. */
export class Truth {
  readonly payments: TruePayment[] = [];
  readonly conversions: TrueConversion[] = [];
  readonly balances = new Map<string, bigint>();
  /** Money that could not be reserved: taken by other spenders, or as fees beyond the reported ones. */
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

  /** Another system of the merchant takes this percentage of a balance. */
  spend(currency: string, percent: bigint): void {
    const amount = (this.balance(currency) * percent) / 100n;
    this.add(currency, -amount);
    this.lose(currency, amount);
  }

  readBalances(): ReadonlyMap<string, bigint> {
    for (const watcher of this.#watchers) watcher.balancesRead?.();
    return this.balances;
  }

  /** Ignores letter case: `INV-7` and `inv-7` are one debt. */
  byReference(reference: string): readonly TruePayment[] {
    return this.payments.filter((payment) => payment.reference.toLowerCase() === reference.toLowerCase());
  }

  byId(id: string): TruePayment | undefined {
    return this.payments.find((payment) => payment.id === id);
  }

  /**
   * Payments that lookups and lists show now, in order of creation.
   *
   * @param asOf time whose state is shown, for lists that are behind
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
    // A refund is not taken again when a failed payment completes after all, because nobody could reserve that money.
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
