import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import { fiatCurrencyOf } from '../domain/money/currencies.ts';
import type { Decimal } from '../domain/money/money.ts';
import { isPositive } from '../domain/money/money.ts';
import { grouped } from '../domain/money/money-text.ts';
import type { CheckoutView, Offer } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { clockIcon, copyIcon } from './icons.ts';

export const kindNames: Readonly<Record<DepositKind, string>> = {
  qris: 'QR payment',
  va: 'Virtual account',
  bank_transfer: 'Bank transfer',
  ewallet: 'E-wallet',
};

const digits = (currency: string, amount: Decimal): string => grouped(amount, fiatCurrencyOf(currency)?.decimals ?? 0);

/** `IDR 1,250,000.00`, which no line breaks in two. */
export const money = (currency: string, amount: Decimal): string => `${currency}\u00a0${digits(currency, amount)}`;

export const bigAmount = (currency: string, amount: Decimal): Html =>
  html`<p class="amount"><span class="currency">${currency}</span> ${digits(currency, amount)}</p>`;

/** `21 Nov 2026, 06:02 UTC`. */
const moment = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso))} UTC`;

export const shownMoment = (iso: string): Html => html`<time datetime="${iso}">${moment(iso)}</time>`;

/** Until when, and for those with a script how long that is. */
export const timeLeft = (expiresAt: string): Html => html`<p class="until">
<span class="clock" role="timer" data-clock hidden>${clockIcon}<span><span class="unseen">Time left </span><span data-left></span></span></span>
<span>Pay before <time datetime="${expiresAt}" data-local>${expiresAt.slice(11, 16)} UTC</time></span>
</p>`;

export const fact = (name: string, value: Content, kind?: 'sum'): Html =>
  html`<div${kind === undefined ? undefined : html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`;

/** Amount, fee and total of a picked method. */
export const priceFacts = (currency: string, { fee, total }: Offer, base: Decimal): Content =>
  isPositive(fee)
    ? [
        fact('Amount', money(currency, base)),
        fact('Fee', money(currency, fee)),
        fact('Total to pay', money(currency, total), 'sum'),
      ]
    : [fact('Fee', 'none'), fact('Total to pay', money(currency, total), 'sum')];

export interface Detail {
  readonly id: string;
  readonly name: string;
  readonly shown: string;
  /** What goes to the clipboard; absent where there is nothing to copy. */
  readonly copied?: string;
}

function copyButton({ id, name, copied = '' }: Detail): Html {
  const said = `${name} copied.`;
  return html`<dd class="do"><button class="copy" type="button" hidden data-copy="${copied}" data-shown="${id}" data-said="${said}">${copyIcon}<span data-label>Copy</span><span class="unseen"> ${name.toLowerCase()}</span></button></dd>`;
}

/** A long number in fours, which eyes follow and who selects it selects digits alone. */
const inFours = (shown: string): Content =>
  /^\d{12,}$/.test(shown)
    ? [...(shown.match(/\d{1,4}/g) ?? [])].map((four) => html`<span class="four">${four}</span>`)
    : shown;

/** One line of the instructions, with its button to copy it by. */
export const detail = (one: Detail): Html =>
  html`<div><dt>${one.name}</dt><dd id="${one.id}"${one.copied === undefined ? undefined : html` class="strong"`}>${inFours(one.shown)}</dd>${one.copied === undefined ? undefined : copyButton(one)}</div>`;

/** The attributes of `main` that the script works by; `said` is what is read aloud when the page has come to this state. */
export const liveMain = (view: CheckoutView, said: string, content: Content): Html =>
  html`<main class="wide" data-state="${view.state}" data-seconds-left="${view.secondsLeft.toString()}" data-state-address="${view.checkoutId}/state" data-said="${said}">
${content}
</main>`;
