import type { Money } from '../domain/money/money.ts';
import { grouped } from '../domain/money/money-text.ts';
import type { CheckoutView, Offer } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { backIcon, clockIcon, copyIcon } from './icons.ts';
import type { Words } from './words/page-words.ts';

/** Only an https address is made a link of. */
export const isWebAddress = (address: string): boolean => /^https:\/\/[^\s]+$/.test(address);

/** In a language's own marks: `1,250,000.00` is `1.250.000,00` in Indonesian. Text throughout, so every digit stays. */
const digits = ({ language }: Words, amount: Money): string => {
  const marks = new Map(
    new Intl.NumberFormat(language).formatToParts(10_000.5).map(({ type, value }) => [type, value] as const),
  );
  return grouped(amount).replace(/[,.]/g, (mark) => marks.get(mark === ',' ? 'group' : 'decimal') ?? mark);
};

/** `IDR 1,250,000.00`, which no line breaks in two. */
export const money = (words: Words, amount: Money): string => `${amount.currency}\u00a0${digits(words, amount)}`;

/** More digits than this would break on a phone's line. */
const shortDigits = 14;

/** What the order is for, when the merchant said so. */
export const order = ({ description }: CheckoutView): Content =>
  description === undefined ? undefined : html`<p class="order"><bdi>${description}</bdi></p>`;

/** What is to be paid, or asked for, and for what. */
export const due = (words: Words, label: string, amount: Money, view: CheckoutView): Content => {
  const shown = digits(words, amount);
  return [
    html`<p class="label">${label}</p>
<p class="amount${shown.length > shortDigits ? ' long' : ''}"><span class="currency">${amount.currency}</span> ${shown}</p>`,
    order(view),
  ];
};

type Shown = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/** `Nov 21, 2026, 06:02 UTC`. */
const moment = ({ language }: Words, iso: string, shown: Shown): string =>
  `${new Intl.DateTimeFormat(language, { ...shown, hourCycle: 'h23', timeZone: 'UTC' }).format(new Date(iso))} UTC`;

export const shownMoment = (words: Words, iso: string): Html =>
  html`<time datetime="${iso}">${moment(words, iso, { dateStyle: 'medium', timeStyle: 'short' })}</time>`;

/** Until when, and for those with a script how long that is. */
export const timeLeft = (words: Words, expiresAt: string): Html => html`<p class="until">
<span class="clock" role="timer" data-clock hidden>${clockIcon}<span><span class="unseen">${words.timeLeft} </span><span data-left></span></span></span>
<span>${words.payBefore} <time datetime="${expiresAt}" data-local>${moment(words, expiresAt, { timeStyle: 'short' })}</time></span>
</p>`;

export const fact = (name: string, value: Content, kind?: 'sum'): Html =>
  html`<div${kind === undefined ? undefined : html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`;

/** Amount and fee of a picked method; their sum is what is due. */
export const priceFacts = (words: Words, { fee, total }: Offer): Content => {
  const { facts } = words;
  return fee.isPositive()
    ? [fact(facts.amount, money(words, total.minus(fee))), fact(facts.fee, money(words, fee))]
    : fact(facts.fee, facts.none);
};

export interface Detail {
  readonly id: string;
  readonly name: string;
  readonly shown: string;
  /** What goes to the clipboard; absent where there is nothing to copy. */
  readonly copied?: string;
}

/** When the clipboard is refused, the script selects the line; where that shows more than is copied, a hidden text. */
const copyButton = (words: Words, { id, name, shown, copied = '' }: Detail): Html => {
  const said = words.awaiting.copied(name);
  const plain = copied === shown ? undefined : `${id}-plain`;
  return html`<dd class="do">${plain && html`<span class="unseen" id="${plain}" aria-hidden="true">${copied}</span>`}<button class="copy" type="button" hidden data-copy="${copied}" data-selected="${plain ?? id}" data-said="${said}">${copyIcon}<span data-label>${words.script.copy}</span><span class="unseen"> ${name.toLowerCase()}</span></button></dd>`;
};

/** A long number in fours, which eyes follow and who selects it selects digits alone. */
const inFours = (shown: string): Content =>
  /^\d{12,}$/.test(shown)
    ? [...(shown.match(/\d{1,4}/g) ?? [])].map((four) => html`<span class="four">${four}</span>`)
    : shown;

/** One line of the instructions, with its button to copy it by. */
export const detail = (words: Words, one: Detail): Html =>
  html`<div><dt>${one.name}</dt><dd id="${one.id}"${one.copied === undefined ? undefined : html` class="strong"`}>${inFours(one.shown)}</dd>${one.copied === undefined ? undefined : copyButton(words, one)}</div>`;

/** The way back to the merchant, when the merchant gave one; it learns nothing of where the customer comes from. */
export const wayBack = (
  { back }: Words,
  { state, merchantName, returnUrl }: CheckoutView,
  look: 'back' | 'button',
): Content => {
  if (returnUrl === undefined || !isWebAddress(returnUrl)) return undefined;
  return html`<a class="${look}" href="${returnUrl}" rel="noopener noreferrer">${look === 'back' ? backIcon : undefined}<span>${back[state](merchantName)}</span></a>`;
};

/**
 * The attributes of `main` that the script works by, and the words it says; `said` is what is read aloud when the page has
 * come to this state.
 */
export const liveMain = (words: Words, view: CheckoutView, said: string, content: Content): Html =>
  html`<main class="wide" data-words="${JSON.stringify(words.script)}" data-state="${view.state}" data-seconds-left="${view.secondsLeft.toString()}" data-state-address="${view.checkoutId}/state" data-said="${said}">
${content}
</main>`;
