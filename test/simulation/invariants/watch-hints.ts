import { hash } from 'node:crypto';
import type { Truth } from '../provider/truth.ts';
import type { Report } from './violation.ts';

/** Seconds between two look-ups of one payout or id that webhooks lead to, whatever is sent. */
const windowSeconds = 30;

/**
 * Holds the requests that webhooks lead to against the window: look-ups of one payout, or one id, begin at least 30 seconds apart. One
 * begins when it asks the ledger for leave, however long that takes; it counts when the provider is then asked.
 */
export class HintWatch {
  readonly #truth: Truth;
  readonly #report: Report;
  /** When an invocation first asked for leave, by itself and the id or reference. */
  readonly #askedLeave = new Map<string, number>();
  /** When look-ups began that reached the provider, by id or reference. */
  readonly #begun = new Map<string, number[]>();

  constructor(truth: Truth, report: Report) {
    this.#truth = truth;
    this.#report = report;
  }

  /** A write to a payout's mark leaves an invocation. */
  asksLeave(who: string, idOrReference: string, at: number): void {
    const key = `${who} ${idOrReference}`;
    if (!this.#askedLeave.has(key)) this.#askedLeave.set(key, at);
  }

  /** A request leaves for the provider. */
  asksProvider(who: string, path: string): void {
    if (!who.startsWith('ApplyWebhook ')) return;
    const url = new URL(path, 'http://localhost');
    const asked = url.searchParams.get('reference') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const reference = this.#truth.byId(asked)?.reference ?? asked;
    // An id that the ledger does not know has a leave of its own, until it is known what payout it is of.
    const subject = [reference, `ID#${hash('sha256', asked)}`].find((one) => this.#askedLeave.has(`${who} ${one}`));
    const at = this.#askedLeave.get(`${who} ${subject}`);
    if (subject === undefined || at === undefined) {
      this.#report('webhooks ask seldom', `${reference} is asked about without leave`, { reference });
      return;
    }
    const others = (this.#begun.get(subject) ?? []).filter((other) => other !== at);
    const near = others.find((other) => Math.abs(other - at) < windowSeconds * 1000);
    if (near !== undefined) {
      const seconds = Math.abs(near - at) / 1000;
      this.#report('webhooks ask seldom', `two look-ups of ${subject} within ${seconds} s`, { reference });
    }
    this.#begun.set(subject, [...others, at]);
  }
}
