import { hash } from 'node:crypto';
import type { Truth } from '../provider/truth.ts';
import type { Report } from './violation.ts';

/** Minimum seconds between two lookups of one payout or id that webhooks cause, whatever is sent. */
const windowSeconds = 30;

/**
 * Checks the requests that webhooks cause: lookups of one payout, or one id, begin at least 30 seconds apart. A lookup begins
 * when it asks the ledger for permission, however long that takes. It counts once the provider is asked.
 */
export class HintWatch {
  readonly #truth: Truth;
  readonly #report: Report;
  /** When an invocation first asked for permission, by invocation and id or reference. */
  readonly #askedLeave = new Map<string, number>();
  /** When lookups that reached the provider began, by id or reference. */
  readonly #begun = new Map<string, number[]>();

  constructor(truth: Truth, report: Report) {
    this.#truth = truth;
    this.#report = report;
  }

  /** Called when an invocation writes a payout's mark. */
  asksLeave(actor: string, idOrReference: string, at: number): void {
    const key = `${actor} ${idOrReference}`;
    if (!this.#askedLeave.has(key)) this.#askedLeave.set(key, at);
  }

  /** Called when a request leaves for the provider. */
  asksProvider(actor: string, path: string): void {
    if (!actor.startsWith('ApplyWebhook ')) return;
    const url = new URL(path, 'http://localhost');
    const asked = url.searchParams.get('reference') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const reference = this.#truth.byId(asked)?.reference ?? asked;
    // An id unknown to the ledger has its own permission until its payout is known.
    const subject = [reference, `ID#${hash('sha256', asked)}`].find((one) => this.#askedLeave.has(`${actor} ${one}`));
    const at = this.#askedLeave.get(`${actor} ${subject}`);
    if (subject === undefined || at === undefined) {
      this.#report('webhook lookups are spaced', `${reference} is asked about without leave`, { reference });
      return;
    }
    const others = (this.#begun.get(subject) ?? []).filter((other) => other !== at);
    const near = others.find((other) => Math.abs(other - at) < windowSeconds * 1000);
    if (near !== undefined) {
      const seconds = Math.abs(near - at) / 1000;
      this.#report('webhook lookups are spaced', `two lookups of ${subject} within ${seconds} s`, { reference });
    }
    this.#begun.set(subject, [...others, at]);
  }
}
