import { createHash } from 'node:crypto';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { MeantRow } from '../draw/scenario.ts';
import { amountText } from '../provider/money.ts';
import type { TrueConversion, TruePayment, Truth, TruthWatcher, Word } from '../provider/truth.ts';
import type { History } from '../world/history.ts';
import type { Report } from './violation.ts';

export interface ProviderWatchParts {
  readonly truth: Truth;
  readonly history: History;
  readonly report: Report;
  readonly table: () => MemoryTable;
  /** The rows of the files with this reference. */
  readonly rowsOf: (reference: string) => readonly MeantRow[];
}

const debtOf = (reference: string): string => reference.replace(/\.r\d+$/, '');
const unpaid: readonly Word[] = ['failed', 'canceled'];
/** An event this recent before a payment may have been unknown when the payment was decided. */
const knowableMs = 5 * 60_000;

/** Compares requests to the provider, and its actions, with the files and the ledger's claims. */
export class ProviderWatch implements TruthWatcher {
  readonly #parts: ProviderWatchParts;
  /** Claims whose permit was used, by claim id or quote id. */
  readonly #used = new Set<string>();

  constructor(parts: ProviderWatchParts) {
    this.#parts = parts;
  }

  /** Called when a POST leaves. It needs a claim that no other POST has used. */
  posts(path: string, body: string): void {
    if (path.endsWith('/convert')) this.#postsConversion(body);
    else this.#postsPayments(path, body);
  }

  #postsPayments(path: string, body: string): void {
    const payloadHash = createHash('sha256').update(body).digest('hex');
    const claims = this.#parts
      .table()
      .items('CHUNK#')
      .filter((item) => String(item['sk']).startsWith('CALL#') && item['payloadHash'] === payloadHash);
    const permit = claims.find((item) => item['outcome'] === undefined && !this.#used.has(String(item['claimId'])));
    if (permit === undefined) {
      const reference = /"reference":"([^"]+)"/.exec(body)?.[1];
      const first = claims[0];
      const subject =
        first === undefined
          ? { reference }
          : { reference, batchId: String(first['batchId']), chunk: Number(first['chunk']) };
      this.#parts.report('no POST without a claim', `a POST of ${path} with no unused claim`, subject);
      return;
    }
    this.#used.add(String(permit['claimId']));
  }

  #postsConversion(body: string): void {
    const quoteId = /"quoteId":"([^"]+)"/.exec(body)?.[1] ?? '';
    const claim = this.#parts
      .table()
      .items('BATCH#')
      .find((item) => String(item['sk']).startsWith('CONVERSION#') && item['quoteId'] === quoteId);
    if (claim === undefined)
      this.#parts.report('no POST without a claim', `a conversion ${quoteId} without its intent`);
    else if (this.#used.has(quoteId)) {
      this.#parts.report('conversions once', `${quoteId} is posted twice`, { batchId: String(claim['batchId']) });
    }
    this.#used.add(quoteId);
  }

  created(payment: TruePayment): void {
    const { truth, history, report, rowsOf } = this.#parts;
    const { id, reference, amount, currency, destination, madeBy } = payment;
    history.record('provider', 'makes', () => `${id} for ${reference}: ${amountText(amount)} ${currency} (${madeBy})`);
    if (madeBy === 'outsider') return;
    const made = truth.byReference(reference).filter((other) => other.madeBy === 'orchestrator');
    if (made.length > 1)
      report('never twice', `${made.length} payments for one reference`, { ...this.#holder(reference), reference });
    this.#pays(payment);
    const isMeant = rowsOf(reference).some(
      (row) =>
        row.isFlawed !== true &&
        row.amount === amount &&
        row.currency === currency &&
        Object.entries(row.destination).every(([name, value]) => destination[name] === value),
    );
    if (!isMeant) report('payments match the file', 'a payment that no file asks for', { reference });
  }

  /** A retry pays a debt that nothing has paid, as far as anyone could have known. */
  #pays({ reference, createdAt: now }: TruePayment): void {
    const { truth, report } = this.#parts;
    const base = debtOf(reference);
    if (base === reference) return;
    for (const other of truth.shown(Number.POSITIVE_INFINITY, now)) {
      const { payment } = other;
      if (payment.madeBy === 'outsider' || payment.reference === reference || debtOf(payment.reference) !== base)
        continue;
      const wasUnpaid = truth
        .shown(Number.POSITIVE_INFINITY, now - knowableMs)
        .some((then) => then.payment === payment && unpaid.includes(then.word));
      const isKnown = this.#registeredAt(payment.reference) + knowableMs < this.#registeredAt(reference);
      if (isKnown && !wasUnpaid && !unpaid.includes(other.word))
        report('one payment a debt', `${payment.id} for ${payment.reference} is ${other.word}`, {
          ...this.#holder(reference),
          reference,
        });
    }
  }

  /** When the chunk of a reference was registered, milliseconds since 1970. */
  #registeredAt(reference: string): number {
    const { batchId = '', chunk = 0 } = this.#holder(reference);
    const sk = `CHUNK#${String(chunk).padStart(7, '0')}`;
    return Date.parse(String(this.#parts.table().item({ pk: `BATCH#${batchId}`, sk })?.['registeredAt']));
  }

  #holder(reference: string): { batchId?: string; chunk?: number } {
    const holder = this.#parts.table().item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
    return holder === undefined ? {} : { batchId: String(holder['batchId']), chunk: Number(holder['chunk']) };
  }

  changed(payment: TruePayment, from: Word): void {
    this.#parts.history.record(
      'provider',
      'moves',
      () => `${payment.id} for ${payment.reference}: ${from} → ${payment.status}`,
    );
  }

  converted({ quoteId, inputCurrency, input, outputCurrency, output }: TrueConversion): void {
    const { truth, history, report } = this.#parts;
    history.record(
      'provider',
      'converts',
      () => `${amountText(input)} ${inputCurrency} to ${amountText(output)} ${outputCurrency} (${quoteId})`,
    );
    if (truth.conversions.filter((other) => other.quoteId === quoteId).length > 1) {
      report('conversions once', `${quoteId} was made twice`);
    }
  }

  refusedForMoney(_currency: string, what: string): void {
    this.#parts.report('money is reserved', `the provider was asked for ${what}`);
  }
}
