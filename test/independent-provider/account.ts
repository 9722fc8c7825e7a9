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
  /** What the record says of the recipient. */
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
  /** What becomes of it, and when: the first step is `pending`, at its creation. */
  course: Step[];
  balance: { before: number; after: number };
};

/** The error body of the document. */
export class Refused extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** A number in [0, 1) that depends on the words alone: what comes first does not change what comes of the others. */
export const chance = (...words: (string | number)[]): number =>
  createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0) / 2 ** 32;

/** The status at an instant. */
export const statusAt = (disbursement: Disbursement, time: number): string =>
  disbursement.course.filter(({ at }) => at <= time).at(-1)?.status ?? 'pending';

/** The merchant's account: what it holds, and every disbursement it was ever told to make. */
export class Account {
  readonly disbursements: Disbursement[] = [];
  readonly #held = new Map<string, Big>();
  readonly #seed: string;
  readonly #refunded = new Set<string>();

  constructor(seed: string, funds: Record<string, string>) {
    this.#seed = seed;
    for (const [currency, amount] of Object.entries(funds)) this.#held.set(currency, new Big(amount));
  }

  /** Gives back what failed or was canceled, then tells what is left. */
  balances(now: number): { assetCode: string; amount: number }[] {
    for (const one of this.disbursements) {
      if (this.#refunded.has(one.disbursementId) || !['failed', 'canceled'].includes(statusAt(one, now))) continue;
      this.#refunded.add(one.disbursementId);
      this.#held.set(one.currency, this.#of(one.currency).plus(one.amount).plus(one.fee));
    }
    return [...this.#held].map(([assetCode, amount]) => ({ assetCode, amount: amount.toNumber() }));
  }

  /** All of a batch or nothing of it: an order that is refused refuses the others with it. */
  disburse(
    rail: 'fiat' | 'crypto',
    currency: string,
    orders: (Order & { method: { feeFlat: number; feePercentage: number } })[],
    now: number,
  ): Disbursement[] {
    this.balances(now);
    // Crypto lookups "return only one of them" when a reference was reused, so there it cannot be refused.
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
