import { Big } from 'big.js';
import { chance } from '../independent-provider/account.ts';

/** A state and when it begins, in milliseconds since 1970. */
export type Step = { at: number; state: 'queued' | 'sending' | 'settled' | 'returned' };

/** A requested payout. Amounts are texts, and a destination is a bank account or a wallet. */
export type Wish = {
  unit: string;
  value: string;
  to: { bank: string; account: string; holder: string } | { wallet: string };
};

export type Payout = Wish & { id: string; key: string; charge: string; madeAt: number; course: Step[] };

/** Where money can be sent, its bounds and its price. A route without a price does not announce its costs. */
export type Route = {
  unit: string;
  /** Absent for wallets. */
  bank?: string;
  title: string;
  least: string;
  most: string;
  price?: { flat: string; percent: string };
};

/** A refusal: an HTTP status and a code of the provider's own. */
export class Declined extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export const stateAt = ({ course }: Payout, time: number): Step['state'] =>
  course.filter(({ at }) => at <= time).at(-1)?.state ?? 'queued';

/** Keys ignore letter case. */
const sameKey = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const sameWish = (one: Wish, other: Wish): boolean =>
  one.unit === other.unit &&
  new Big(one.value).eq(other.value) &&
  JSON.stringify(Object.entries(one.to).toSorted()) === JSON.stringify(Object.entries(other.to).toSorted());

/** A payout takes from 5 seconds to two minutes. 3% are returned. */
const courseOf = (seed: string, key: string, now: number): Step[] => {
  const end = now + 5_000 + Math.floor(chance(seed, 'time', key) * 115_000);
  return [
    { at: now, state: 'queued' },
    { at: now + 2_000, state: 'sending' },
    { at: end, state: chance(seed, 'fate', key) < 0.03 ? 'returned' : 'settled' },
  ];
};

/** The account's funds, and every payout ever made. */
export class Books {
  readonly payouts: Payout[] = [];
  readonly #funds: Map<string, Big>;
  readonly #seed: string;
  readonly #routes: Route[];
  readonly #keyHours: number;
  readonly #refunded = new Set<string>();

  constructor(options: { seed: string; funds: Record<string, string>; routes: Route[]; keyHours: number }) {
    this.#seed = options.seed;
    this.#routes = options.routes;
    this.#keyHours = options.keyHours;
    this.#funds = new Map(Object.entries(options.funds).map(([unit, value]) => [unit, new Big(value)]));
  }

  funds(now: number): { unit: string; value: string }[] {
    for (const one of this.payouts) {
      if (stateAt(one, now) !== 'returned' || this.#refunded.has(one.id)) continue;
      this.#refunded.add(one.id);
      this.#funds.set(one.unit, this.#of(one.unit).plus(one.value).plus(one.charge));
    }
    return [...this.#funds].map(([unit, value]) => ({ unit, value: value.toFixed() }));
  }

  /**
   * Makes one payout. Repeating the same wish under a key returns the payout it made. Another wish under that key is declined.
   * After `keyHours` the key is forgotten, and makes a new payout.
   */
  make(key: string, wish: Wish, now: number): { payout: Payout; isNew: boolean } {
    const kept = this.byKey(key, now).find(({ madeAt }) => now - madeAt < this.#keyHours * 3_600_000);
    if (kept !== undefined) {
      if (!sameWish(kept, wish)) throw new Declined(409, 'key_in_use');
      return { payout: kept, isNew: false };
    }
    const bank = 'bank' in wish.to ? wish.to.bank : undefined;
    const route = this.#routes.find((one) => one.unit === wish.unit && one.bank === bank);
    if (route === undefined) throw new Declined(422, 'no_such_route');
    if (new Big(wish.value).lt(route.least) || new Big(wish.value).gt(route.most))
      throw new Declined(422, 'out_of_bounds');
    const { flat, percent } = route.price ?? { flat: '0', percent: '0' };
    const charge = new Big(wish.value).times(percent).div(100).plus(flat).round(6);
    this.funds(now);
    const left = this.#of(wish.unit).minus(wish.value).minus(charge);
    if (left.lt(0)) throw new Declined(422, 'insufficient_funds');
    this.#funds.set(wish.unit, left);
    const id = `po-${this.payouts.length + 1}`;
    const payout = { ...wish, id, key, charge: charge.toFixed(), madeAt: now, course: courseOf(this.#seed, key, now) };
    this.payouts.push(payout);
    return { payout, isNew: true };
  }

  /** Returns the payouts under a key, newest first. */
  byKey(key: string, now: number): Payout[] {
    return this.payouts.filter((one) => sameKey(one.key, key) && one.madeAt <= now).toReversed();
  }

  #of(unit: string): Big {
    return this.#funds.get(unit) ?? new Big(0);
  }
}
