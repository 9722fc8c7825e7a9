import type * as z from 'zod';
import type { Chance } from '../../support/chance.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import type { Timeline } from '../world/timeline.ts';
import type { ServiceAnswer } from './answer.ts';
import { error, ok } from './answer.ts';
import type { Rates } from './exchange.ts';
import { Exchange } from './exchange.ts';
import type { Fortunes } from './life.ts';
import { planLife } from './life.ts';
import type { ListTerms } from './lists.ts';
import { isCalled, isOneReference, listPage } from './lists.ts';
import { amountNumber, millionths, unitOf } from './money.ts';
import type { RateTerms } from './rate-limit.ts';
import { recordOf } from './records.ts';
import { convertBody, cryptoBody, fiatBody, parseBySource } from './request-bodies.ts';
import type { Appearance, Rail, TruePayment, Truth } from './truth.ts';

/** The simulated provider's fees, and its behavior where the document is silent. */
export interface ProviderTerms {
  /** True when a used fiat reference is refused. The document says so, but a provider may forget one. */
  readonly refusesFiatReference: boolean;
  /** The words of that refusal. */
  readonly takenWords: string;
  /** True when references that differ only in letter case count as one. */
  readonly foldsCase: boolean;
  /** Fees that it reports in advance. */
  readonly fees: Readonly<Record<string, bigint>>;
  /** Percentage of these fees that it charges. */
  readonly charged: bigint;
  /** Factor between the fee that it charges and the fee that a payment shows. */
  readonly feeFactor: bigint;
  /** Decimals of the balances that it reports. It cuts off the rest. */
  readonly balanceDecimals: number;
  /** How often a bank returns a completed payment, days later and without a webhook, and the longest time after creation. */
  readonly returned: { readonly probability: number; readonly mostMs: number };
  readonly rates: Rates;
  /** A pair's rate in successive quotes, in ten-thousandths, repeating. Empty when the rate drifts randomly. */
  readonly drifts: readonly bigint[];
  /** How often lookups and lists do not show a new payment yet, and for how many milliseconds at most. */
  readonly lag: { readonly probability: number; readonly mostMs: number };
  /** How often a payment of the rail is not shown for hours. */
  readonly cryptoHidden: number;
  readonly fiatHidden: number;
  /** True when the provider promises that a fiat reference is used once. It keeps the promise only if `refusesFiatReference`. */
  readonly promisesUnique: boolean;
  /** Hours after which a used fiat reference is accepted again. */
  readonly uniqueHours: number | 'forever';
  /** How often a refused call of several wallets has paid those before the refused one. Lookups show them minutes later. */
  readonly cryptoInPart: number;
  /** How often the reference of a wallet transfer gets lost. */
  readonly cryptoNameless: number;
  readonly fortunes: Fortunes;
  readonly lists: ListTerms;
  /** Undefined when there is no rate limit. */
  readonly rate: RateTerms | undefined;
}

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string | undefined;
}

interface Wanted {
  readonly amount: bigint;
  readonly reference: string;
  readonly destination: Readonly<Record<string, string>>;
}

const pdf = Buffer.from('%PDF-1.4\nproof\n%%EOF\n');
/** Longest time for which a payment is not shown. */
export const longestHiddenHours = 4;
const longestHiddenMs = longestHiddenHours * 3_600_000;

/** Longest time after which a payment is shown, unless it is hidden. */
export const mostShownMs = 200_000;

/** The provider refuses a destination that contains this, and with it the whole call. */
export const refusedDestination = '666';
/** A wallet that the provider refuses. */
export const refusedWallet = 'TE6666R9vs8QbhZBPK14mA3puf1XGoS4yy';

/** A refusal that concerns no particular row. */
export const generalRefusal = 'Insufficient funds';

const outsiderWallet = tronAddress('paid by an outsider');

/**
 * The payment service as documented, as far as the orchestrator uses it, with books that are always right. network.ts adds the
 * faults of the network and the weaknesses of the service.
 */
export class Service {
  readonly truth: Truth;
  /** True while every payment is refused. */
  refusesAll = false;
  readonly #terms: ProviderTerms;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #returns: Chance;
  readonly #exchange: Exchange;
  readonly #nameless: Chance;
  readonly #inPart: Chance;
  #numbers = 0;

  constructor(truth: Truth, terms: ProviderTerms, timeline: Timeline, chance: Chance) {
    this.truth = truth;
    this.#terms = terms;
    this.#timeline = timeline;
    this.#chance = chance;
    this.#nameless = chance.fork('nameless');
    this.#inPart = chance.fork('in part');
    this.#returns = chance.fork('returns');
    this.#exchange = new Exchange(truth, terms, chance);
  }

  /** Processes a request immediately and returns the service's answer. */
  handle(request: ServiceRequest): ServiceAnswer {
    const { method, path, query, body } = request;
    switch (`${method} ${path}`) {
      case 'GET /v1/balance':
        return this.#balance();
      case 'GET /v1/disbursement/fiat/payment-method':
        return ok(this.#fiatMethods());
      case 'GET /v1/disbursement/crypto/payment-method':
        return ok(this.#cryptoMethods());
      case 'GET /v1/disbursement/crypto/estimate':
        return this.#estimateFee(query);
      case 'GET /v1/convert/estimate':
        return this.#exchange.quote(query);
      case 'POST /v1/convert':
        return this.#exchange.convert(convertBody.parse(parseBySource(body)).quoteId);
      case 'POST /v2/disbursement/fiat':
        return this.#createFiat(fiatBody.parse(parseBySource(body)));
      case 'POST /v1/disbursement/crypto':
        return this.#createCrypto(cryptoBody.parse(parseBySource(body)));
      case 'GET /v1/disbursement/fiat':
        return this.#list('fiat', query);
      case 'GET /v1/disbursement/crypto':
        return this.#list('crypto', query);
      default:
        return this.#one(method, path);
    }
  }

  /**
   * Another system of the merchant pays another recipient under a reference of a payout file.
   *
   * @param failsAtOnce true when the payment fails within a second
   */
  payAsOutsider(rail: Rail, currency: string, reference: string, failsAtOnce = false): readonly TruePayment[] {
    const wanted = { amount: 7_000_000n, reference, destination: { walletAddress: outsiderWallet } };
    const failing = [{ inMs: this.#chance.between(0, 1000), word: 'failed' }] as const;
    return this.#create(rail, currency, [wanted], 'outsider', failsAtOnce ? { life: failing } : {});
  }

  #one(method: string, path: string): ServiceAnswer {
    const [, rail, id = '', rest] = /^\/v1\/disbursement\/(fiat|crypto)\/([^/]+)(\/report)?$/.exec(path) ?? [];
    if (method !== 'GET' || (rail !== 'fiat' && rail !== 'crypto'))
      throw new Error(`${method} ${path} is not known here`);
    const asked = decodeURIComponent(id);
    const found = this.truth
      .shown()
      .find(({ payment }) => payment.rail === rail && (payment.id === asked || isCalled(this.#terms, payment, asked)));
    if (rest !== undefined) {
      return found?.word === 'completed' ? { status: 200, body: pdf } : error(404, 'Disbursement not found');
    }
    if (found === undefined) {
      return error(404, rail === 'crypto' ? 'Crypto disbursement not found' : 'Disbursement not found');
    }
    return ok(this.#recordOf(found));
  }

  #list(rail: Rail, query: URLSearchParams): ServiceAnswer {
    return ok(listPage(this.truth, this.#terms, rail, this.#timeline.now, query));
  }

  #isOne(one: string, other: string): boolean {
    return isOneReference(this.#terms, one, other);
  }

  #recordOf(shown: Appearance): object {
    return recordOf(shown, this.#terms.lists.freezesUpdatedAt);
  }

  #balance(): ServiceAnswer {
    const lastUpdated = new Date(this.#timeline.now).toISOString();
    const unit = unitOf(this.#terms.balanceDecimals);
    const balances = this.truth.readBalances();
    const of = (isFiat: boolean) => ({
      balances: [...balances]
        .filter(([code]) => (code === code.toUpperCase()) === isFiat)
        .map(([assetCode, amount]) => ({ amount: amountNumber(amount - (amount % unit)), assetCode })),
      lastUpdated,
    });
    return { status: 200, body: { userId: 'merchant', assets: { fiat: of(true), crypto: of(false) } } };
  }

  #fiatMethods(): unknown {
    return ['bca', 'bni'].map((bankCode) => ({
      currency: 'IDR',
      bankCode,
      bankName: bankCode.toUpperCase(),
      minAmount: 1,
      maxAmount: 1_000_000,
      feeFlat: amountNumber(this.#terms.fees['IDR'] ?? 0n),
      feePercentage: 0,
    }));
  }

  #cryptoMethods(): unknown {
    return ['usdt-tron', 'usdc-polygon'].map((currency) => ({
      currency,
      minimumAmount: 1,
      maximumAmount: 1_000_000,
      feeFlat: amountNumber(this.#terms.fees[currency] ?? 0n),
      feePercentage: 0,
    }));
  }

  #estimateFee(query: URLSearchParams): ServiceAnswer {
    return ok({ token: query.get('token'), fee: amountNumber(this.#terms.fees[query.get('token') ?? ''] ?? 0n) });
  }

  #createFiat({ currency, disburseData }: z.infer<typeof fiatBody>): ServiceAnswer {
    const wanted = disburseData.map(({ amount, reference, recipientId, recipient }): Wanted => {
      const bank = recipient?.bank;
      const destination: Record<string, string> =
        bank === undefined
          ? { recipientId: recipientId ?? '' }
          : { bankCode: bank.bankCode, accountNumber: bank.accountNumber };
      return { amount: millionths(amount), reference, destination };
    });
    const { uniqueHours } = this.#terms;
    const knownSince = uniqueHours === 'forever' ? 0 : this.#timeline.now - uniqueHours * 3_600_000;
    const isUsed = this.truth.payments.some(
      (one) =>
        one.rail === 'fiat' &&
        one.createdAt >= knownSince &&
        wanted.some(({ reference }) => this.#isOne(one.reference, reference)),
    );
    if (isUsed && this.#terms.refusesFiatReference) return error(400, this.#terms.takenWords);
    return this.#answerCreated('fiat', currency, wanted);
  }

  #createCrypto({ token, receivers }: z.infer<typeof cryptoBody>): ServiceAnswer {
    const wanted = receivers.map(
      ({ amount, reference, receiverWalletAddress }): Wanted => ({
        amount: millionths(amount),
        reference,
        destination: { walletAddress: receiverWalletAddress },
      }),
    );
    return this.#answerCreated('crypto', token, wanted);
  }

  #answerCreated(rail: Rail, currency: string, wanted: readonly Wanted[]): ServiceAnswer {
    if (this.refusesAll) {
      const left = `${this.#chance.int(1, 500)}.50 ${currency}`;
      return error(400, `${generalRefusal}: ${left} left, ${wanted[0]?.reference} needs more`);
    }
    const refused = wanted.findIndex(({ destination }) =>
      Object.values(destination).some((text) => text.includes(refusedDestination)),
    );
    if (refused >= 0) {
      if (rail === 'crypto') this.#createInPart(currency, wanted.slice(0, refused));
      return error(400, 'The recipient cannot be paid');
    }
    const fee = this.#feeOf(currency);
    const needed = wanted.reduce((sum, { amount }) => sum + amount + fee, 0n);
    if (this.truth.balance(currency) < needed) {
      // Charges beyond the reported fee could not be reserved.
      const excess = (this.#terms.fees[currency] ?? 0n) - fee;
      // An outsider's payment under the same reference is quarantined once seen, and others plan as if its money were spent.
      const isOthers = ({ reference }: Wanted): boolean =>
        this.truth.byReference(reference).some(({ madeBy }) => madeBy === 'outsider');
      if (!wanted.some(isOthers))
        this.truth.refuseForMoney(currency, needed + (excess < 0n ? excess * BigInt(wanted.length) : 0n));
      return error(400, 'insufficient balance');
    }
    const disburseData = this.#create(rail, currency, wanted, 'orchestrator').map((payment) =>
      // The answer repeats the request. A reference gets lost only on the way to the lists.
      this.#recordOf({
        payment: { ...payment, isNameless: false },
        word: payment.status,
        changedAt: payment.createdAt,
      }),
    );
    return ok({ totalRecipient: wanted.length, disburseData }, 'Disbursement created successfully');
  }

  /** Pays the wallets before the one for which the call is refused. They are shown soon enough for three proofs of absence. */
  #createInPart(currency: string, before: readonly Wanted[]): void {
    if (!this.#inPart.happens(this.#terms.cryptoInPart)) return;
    const needed = before.reduce((sum, { amount }) => sum + amount + this.#feeOf(currency), 0n);
    if (this.truth.balance(currency) < needed) return;
    this.#create('crypto', currency, before, 'orchestrator', { lag: this.#inPart.between(0, mostShownMs) });
  }

  #create(
    rail: Rail,
    currency: string,
    wanted: readonly Wanted[],
    madeBy: TruePayment['madeBy'],
    { life, lag: shownAfter }: { readonly life?: ReturnType<typeof planLife>; readonly lag?: number } = {},
  ): readonly TruePayment[] {
    this.#numbers += 1;
    const groupId = `group-${this.#numbers}`;
    const { now } = this.#timeline;
    const lag = shownAfter ?? this.#drawLag(rail);
    return wanted.map((one, index): TruePayment => {
      const payment: TruePayment = {
        id: `d${this.#numbers}-${index + 1}`,
        groupId,
        rail,
        currency,
        fee: this.#feeOf(currency),
        ...one,
        shownFee: this.#feeOf(currency) * this.#terms.feeFactor,
        madeBy,
        createdAt: now,
        visibleAt: now + lag,
        isNameless:
          shownAfter === undefined &&
          rail === 'crypto' &&
          madeBy === 'orchestrator' &&
          this.#nameless.happens(this.#terms.cryptoNameless),
        status: 'pending',
        words: ['pending'],
        since: [now],
      };
      this.truth.create(payment);
      const beyond = payment.fee - (this.#terms.fees[currency] ?? 0n);
      if (beyond > 0n && madeBy === 'orchestrator') this.truth.lose(currency, beyond);
      for (const { inMs, word } of life ?? planLife(this.#chance, this.#terms.fortunes, rail)) {
        this.#timeline.in(inMs, () => this.truth.move(payment, word));
      }
      if (madeBy === 'orchestrator') this.#planReturn(payment);
      return payment;
    });
  }

  #feeOf(currency: string): bigint {
    return ((this.#terms.fees[currency] ?? 0n) * this.#terms.charged) / 100n;
  }

  #planReturn(payment: TruePayment): void {
    const { probability, mostMs } = this.#terms.returned;
    if (!this.#returns.happens(probability)) return;
    this.#timeline.in(this.#returns.between(1, mostMs), () => {
      if (payment.status !== 'completed') return;
      payment.returnedAt = this.#timeline.now;
      this.truth.move(payment, 'failed');
    });
  }

  #drawLag(rail: Rail): number {
    const { lag, cryptoHidden, fiatHidden } = this.#terms;
    if (this.#chance.happens(rail === 'crypto' ? cryptoHidden : fiatHidden))
      return this.#chance.between(0, longestHiddenMs);
    if (!this.#chance.happens(lag.probability)) return 0;
    return this.#chance.between(this.#chance.pick([0, 0.8]) * lag.mostMs, lag.mostMs);
  }
}
