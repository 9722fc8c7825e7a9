import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { HttpOutcome, HttpRequest } from '../../../functions/provider/transport/http.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';
import { cryptoBody, fiatBody, parseBySource } from '../../simulation/provider/request-bodies.ts';
import type { Timeline } from '../../simulation/world/timeline.ts';
import { OrderedList } from './ordered-list.ts';
import { RateLimit } from './rate-limit.ts';
import type { Turn } from './settlement.ts';

/** A payment in the service's books. */
export interface Payment {
  readonly id: string;
  readonly rail: Rail;
  readonly currency: string;
  /** A decimal, as received. */
  readonly amount: string;
  readonly reference: string;
  readonly destination: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly place: number;
  word: string;
  changedAt: number;
  changePlace: number;
}

export interface ServiceTerms {
  readonly timeline: Timeline;
  /** Maximum requests per second. */
  readonly limits: { readonly post: number; readonly read: number };
  /** The future of a payment that was just made. */
  readonly lifeOf: (payment: Payment) => readonly Turn[];
  /** Called with each payment when it is made, and whenever its word changes. */
  readonly onChange: (payment: Payment) => void;
}

/** Requests that were answered, and those above the limit. */
export interface RequestCounts {
  posts: number;
  /** By kind: `list all`, `list pending`, `one`. */
  readonly reads: Map<string, number>;
  proofs: number;
  refused: number;
}

/** Duration of a request in milliseconds. The service does its work after half of it. */
const latencyMs = { post: 500, read: 80, proof: 150 } as const;

/** The payments of one rail, all and by word, in order of creation and of change. */
class Books {
  readonly byReference = new Map<string, Payment>();
  readonly #lists = new Map<string, OrderedList<Payment>>();
  #created = 0;
  #changes = 0;

  nextPlace(): number {
    this.#created += 1;
    return this.#created;
  }

  list(order: string, word: string): OrderedList<Payment> {
    const name = `${order} ${word}`;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const made = new OrderedList<Payment>();
    this.#lists.set(name, made);
    return made;
  }

  /** Moves a payment to the place of its word and its last change. */
  enter(payment: Payment): void {
    this.#changes += 1;
    payment.changePlace = this.#changes;
    this.byReference.set(payment.reference, payment);
    this.byReference.set(payment.id, payment);
    for (const word of ['', payment.word]) {
      this.list('createdAt', word).put(payment.place, payment);
      this.list('-updatedAt', word).put(payment.changePlace, payment);
    }
  }

  leave(payment: Payment): void {
    for (const word of ['', payment.word]) {
      this.list('createdAt', word).remove(payment.place);
      this.list('-updatedAt', word).remove(payment.changePlace);
    }
  }
}

const json = (status: number, body: object): HttpOutcome => ({
  kind: 'response',
  status,
  body: Buffer.from(JSON.stringify(body)),
});
const ok = (data: unknown): HttpOutcome => json(200, { statusCode: 200, message: 'OK', data });
const notFound = json(404, { statusCode: 404, error: 'Not Found', message: 'Disbursement not found' });
const tooMany = json(429, { statusCode: 429, error: 'Too Many Requests', message: 'Too many requests' });

/** What each payment costs, in units of its currency. */
export const feeOfEach = 1;

const recordOf = (payment: Payment): object => {
  const { id, rail, currency, amount, reference, destination, word, createdAt, changedAt } = payment;
  const common = {
    disbursementId: id,
    amount: JSON.rawJSON(amount),
    feeAmount: feeOfEach,
    status: word,
    reference,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(changedAt).toISOString(),
  };
  if (rail === 'fiat') return { ...common, currency, recipient: { bank: destination } };
  const [token = '', network = ''] = currency.split('-');
  return { ...common, token, network, receiverAddress: destination['walletAddress'] };
};

/**
 * The part of the payment service that disbursing uses, for hundreds of thousands of payments: reading a page costs as much as
 * the page. It sorts and filters as documented, and refuses requests beyond its limits.
 */
export class ScalingService {
  readonly counts: RequestCounts = { posts: 0, reads: new Map(), proofs: 0, refused: 0 };
  readonly #terms: ServiceTerms;
  readonly #books = { fiat: new Books(), crypto: new Books() };
  readonly #limits: Readonly<Record<'post' | 'read', RateLimit>>;
  #made = 0;

  constructor(terms: ServiceTerms) {
    this.#terms = terms;
    this.#limits = { post: new RateLimit(terms.limits.post), read: new RateLimit(terms.limits.read) };
  }

  /** The transport's requests. */
  get http(): Http {
    const exchange = (request: HttpRequest): Promise<HttpOutcome> => this.#exchange(request);
    return { requestOnce: exchange, requestRead: exchange };
  }

  /** Reads other than proofs. */
  get reads(): number {
    return this.counts.reads.values().reduce((sum, count) => sum + count, 0);
  }

  async #exchange(request: HttpRequest): Promise<HttpOutcome> {
    const { timeline } = this.#terms;
    const { pathname, searchParams } = new URL(request.path, 'http://localhost');
    const isProof = pathname.endsWith('/report');
    const half = latencyMs[request.method === 'POST' ? 'post' : isProof ? 'proof' : 'read'] / 2;
    const isRefused = !this.#limits[request.method === 'POST' ? 'post' : 'read'].takes(timeline.now);
    await timeline.sleep(half);
    const answer = isRefused ? this.#refuse() : this.#answer(request, pathname, searchParams);
    await timeline.sleep(half);
    return answer;
  }

  #refuse(): HttpOutcome {
    this.counts.refused += 1;
    return tooMany;
  }

  #answer({ method, body }: HttpRequest, path: string, query: URLSearchParams): HttpOutcome {
    const [, railText, id = '', rest] =
      /^\/v[12]\/disbursement\/(fiat|crypto)(?:\/([^/]+))?(\/report)?$/.exec(path) ?? [];
    if (railText !== 'fiat' && railText !== 'crypto') throw new Error(`${method} ${path} is not supported`);
    if (method === 'POST') return this.#create(railText, body);
    const found = this.#books[railText].byReference.get(decodeURIComponent(id));
    if (rest !== undefined) return this.#proof(found);
    if (id !== '') {
      this.#countRead(`${railText} one`);
      return found === undefined ? notFound : ok(recordOf(found));
    }
    return this.#list(railText, query);
  }

  #countRead(what: string): void {
    this.counts.reads.set(what, (this.counts.reads.get(what) ?? 0) + 1);
  }

  #proof(found: Payment | undefined): HttpOutcome {
    this.counts.proofs += 1;
    if (found?.word !== 'completed') return notFound;
    return { kind: 'response', status: 200, body: Buffer.from(`%PDF-1.4\n${found.id}\n%%EOF\n`) };
  }

  #list(rail: Rail, query: URLSearchParams): HttpOutcome {
    const [word, order] = [query.get('status') ?? '', query.get('sort') ?? ''];
    const reference = query.get('reference');
    if (reference !== null) {
      this.#countRead(`${rail} by reference`);
      const found = this.#books[rail].byReference.get(reference);
      const docs = found === undefined ? [] : [recordOf(found)];
      return ok({ docs, page: 1, limit: Number(query.get('limit')), totalDocs: docs.length, totalPages: 1 });
    }
    this.#countRead(`${rail} ${order} ${word || 'all'}`);
    const list = this.#books[rail].list(order, word);
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const docs = list.page(page, limit, order.startsWith('-')).map(recordOf);
    return ok({ docs, page, limit, totalDocs: list.size, totalPages: Math.max(1, Math.ceil(list.size / limit)) });
  }

  #create(rail: Rail, body: string | undefined): HttpOutcome {
    this.counts.posts += 1;
    const wanted = rail === 'fiat' ? wantedOfFiat(body) : wantedOfCrypto(body);
    const books = this.#books[rail];
    if (wanted.some(({ reference }) => books.byReference.has(reference))) throw new Error('a reference came twice');
    const now = this.#terms.timeline.now;
    const made = wanted.map((one): Payment => {
      this.#made += 1;
      return {
        id: `d-${this.#made.toString().padStart(22, '0')}`,
        rail,
        ...one,
        createdAt: now,
        place: books.nextPlace(),
        word: 'pending',
        changedAt: now,
        changePlace: 0,
      };
    });
    for (const payment of made) this.#begin(payment);
    return ok({ totalRecipient: made.length, disburseData: made.map(recordOf) });
  }

  #begin(payment: Payment): void {
    const { timeline, lifeOf, onChange } = this.#terms;
    const books = this.#books[payment.rail];
    books.enter(payment);
    onChange(payment);
    for (const { inMs, word } of lifeOf(payment)) {
      timeline.in(inMs, () => {
        books.leave(payment);
        payment.word = word;
        payment.changedAt = timeline.now;
        books.enter(payment);
        onChange(payment);
      });
    }
  }
}

type Wanted = Pick<Payment, 'currency' | 'amount' | 'reference' | 'destination'>;

const wantedOfFiat = (body: string | undefined): readonly Wanted[] => {
  const { currency, disburseData } = fiatBody.parse(parseBySource(body));
  return disburseData.map(({ amount, reference, recipient }) => {
    const { bankCode = '', accountNumber = '' } = recipient?.bank ?? {};
    return { currency, amount, reference, destination: { bankCode, accountNumber } };
  });
};

const wantedOfCrypto = (body: string | undefined): readonly Wanted[] => {
  const { token, receivers } = cryptoBody.parse(parseBySource(body));
  return receivers.map(({ amount, reference, receiverWalletAddress }) => ({
    currency: token,
    amount,
    reference,
    destination: { walletAddress: receiverWalletAddress },
  }));
};
