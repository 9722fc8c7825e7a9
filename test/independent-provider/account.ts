import { createHash } from 'node:crypto';
import { Big } from 'big.js';
import type { Step } from './courses.ts';
import { cryptoCourse, fiatCourse } from './courses.ts';

export type FiatMethod = {
  currency: string;
  bankCode: string;
  bankName: string;
  minAmount: number;
  maxAmount: number;
  feeFlat: number;
  feePercentage: number;
};

export type CryptoMethod = {
  currency: string;
  network: string;
  symbol: string;
  name: string;
  minimumAmount: number;
  maximumAmount: number;
  feeFlat: number;
  feePercentage: number;
};

export type Order = {
  amount: number;
  reference: string | undefined;
  note: string | undefined;
  /** The recipient's fields in the record. */
  to: Record<string, unknown>;
};

export type Disbursement = Order & {
  rail: 'fiat' | 'crypto';
  disbursementId: string;
  groupId: string;
  currency: string;
  fee: Big;
  feePercentage: number;
  createdAt: number;
  /** Its statuses over time. The first step is `pending`, at its creation. */
  course: Step[];
  balance: { before: number; after: number };
};

/** Answered with the document's error body. */
export class Refused extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Returns a number in [0, 1) that depends only on the words, so the order of requests does not matter. */
export const chance = (...words: (string | number)[]): number =>
  createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0) / 2 ** 32;

/** Returns the status at a time, in milliseconds since 1970. */
export const statusAt = (disbursement: Disbursement, time: number): string =>
  disbursement.course.filter(({ at }) => at <= time).at(-1)?.status ?? 'pending';

/** The merchant's account: its balances, and every disbursement ever made. */
export class Account {
  readonly disbursements: Disbursement[] = [];
  readonly #held = new Map<string, Big>();
  readonly #seed: string;
  readonly #refunded = new Set<string>();

  constructor(seed: string, funds: Record<string, string>) {
    this.#seed = seed;
    for (const [currency, amount] of Object.entries(funds)) this.#held.set(currency, new Big(amount));
  }

  /** Refunds failed and canceled disbursements, then returns the balances. */
  balances(now: number): { assetCode: string; amount: number }[] {
    for (const one of this.disbursements) {
      if (this.#refunded.has(one.disbursementId) || !['failed', 'canceled'].includes(statusAt(one, now))) continue;
      this.#refunded.add(one.disbursementId);
      this.#held.set(one.currency, this.#of(one.currency).plus(one.amount).plus(one.fee));
    }
    return [...this.#held].map(([assetCode, amount]) => ({ assetCode, amount: amount.toNumber() }));
  }

  /** Makes all disbursements of a call or none: one refused order refuses the whole call. */
  disburse(
    rail: 'fiat' | 'crypto',
    currency: string,
    orders: (Order & { method: { feeFlat: number; feePercentage: number } })[],
    now: number,
  ): Disbursement[] {
    this.balances(now);
    // The document: crypto lookups "return only one of them" when a reference was reused. So crypto accepts a reused one.
    if (rail === 'fiat') {
      const used = new Set(this.disbursements.map(({ reference }) => reference));
      for (const { reference } of orders) {
        if (reference !== undefined && used.has(reference)) throw new Refused(400, 'Reference is already in use');
        used.add(reference);
      }
    }
    const priced = orders.map(({ method, ...order }) => {
      const places = rail === 'fiat' ? 2 : 6;
      const fee = new Big(order.amount).times(method.feePercentage).div(100).plus(method.feeFlat).round(places);
      return { order, fee, feePercentage: method.feePercentage };
    });
    const total = priced.reduce((sum, { order, fee }) => sum.plus(order.amount).plus(fee), new Big(0));
    if (this.#of(currency).lt(total)) throw new Refused(400, 'insufficient balance');
    const groupId = `grp_${this.disbursements.length}`;
    const made = priced.map(({ order, fee, feePercentage }, place) => {
      const before = this.#of(currency);
      const after = before.minus(order.amount).minus(fee);
      this.#held.set(currency, after);
      const lot = (what: string) => chance(this.#seed, what, order.reference ?? `${groupId}-${place}`);
      const steps = rail === 'fiat' ? fiatCourse(lot) : cryptoCourse(lot);
      return {
        ...order,
        rail,
        disbursementId: `${rail}-${this.disbursements.length + place}`,
        groupId,
        currency,
        fee,
        feePercentage,
        createdAt: now,
        course: steps.map(({ at, status }) => ({ at: now + at, status })),
        balance: { before: before.toNumber(), after: after.toNumber() },
      };
    });
    this.disbursements.push(...made);
    return made;
  }

  #of(currency: string): Big {
    return this.#held.get(currency) ?? new Big(0);
  }
}
