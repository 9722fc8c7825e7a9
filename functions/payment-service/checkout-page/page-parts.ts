import type { Money } from '../domain/money/money.ts';
import { grouped } from '../domain/money/money-text.ts';
import type { CheckoutView, Offer } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { backIcon, clockIcon, copyIcon } from './icons.ts';
import type { Words } from './words/page-words.ts';

/** Only https addresses become links. */
export const isWebAddress = (address: string): boolean => /^https:\/\/[^\s]+$/.test(address);

/** The digits in a language's notation: `1,250,000.00` is `1.250.000,00` in Indonesian. Text, so no digit is lost. */
const digits = ({ language }: Words, amount: Money): string => {
  const marks = new Map(
    new Intl.NumberFormat(language).formatToParts(10_000.5).map(({ type, value }) => [type, value] as const),
  );
  return grouped(amount).replace(/[,.]/g, (mark) => marks.get(mark === ',' ? 'group' : 'decimal') ?? mark);
};

/** `IDR 1,250,000.00`, with a space that does not break. */
export const money = (words: Words, amount: Money): string => `${amount.currency}\u00a0${digits(words, amount)}`;

/** Longer numbers would not fit on a phone's line. */
const shortDigits = 14;

/** The merchant's description of the order, if there is one. */
export const order = ({ description }: CheckoutView): Content =>
  description === undefined ? undefined : html`<p class="order"><bdi>${description}</bdi></p>`;

/** The amount to pay or the amount requested, with the description of the order. */
export const due = (words: Words, label: string, amount: Money, view: CheckoutView): Content => {
  const shown = digits(words, amount);
  return [
    html`<p class="label">${label}</p>
<p class="amount${shown.length > shortDigits ? ' long' : ''}"><span class="currency">${amount.currency}</span> ${shown}</p>`,
    order(view),
  ];
};

/** `Nov 21, 2026, 06:02 UTC`. */
const moment = ({ language }: Words, iso: string, shown: Intl.DateTimeFormatOptions): string =>
  `${new Intl.DateTimeFormat(language, { ...shown, hourCycle: 'h23', timeZone: 'UTC' }).format(new Date(iso))} UTC`;

export const shownMoment = (words: Words, iso: string): Html =>
  html`<time datetime="${iso}">${moment(words, iso, { dateStyle: 'medium', timeStyle: 'short' })}</time>`;

/** The deadline, and the time left if the script runs. */
export const timeLeft = (words: Words, expiresAt: string): Html => html`<p class="until">
<span class="clock" role="timer" data-clock hidden>${clockIcon}<span><span class="unseen">${words.timeLeft} </span><span data-left></span></span></span>
<span>${words.payBefore} <time datetime="${expiresAt}" data-local>${moment(words, expiresAt, { timeStyle: 'short' })}</time></span>
</p>`;

export const fact = (name: string, value: Content, kind?: 'sum'): Html =>
  html`<div${kind === undefined ? undefined : html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`;

/** Amount and fee of the chosen method. Their sum is the total. */
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
  /** The text to copy. Undefined when there is nothing to copy. */
  readonly copied?: string | undefined;
}

/**
 * If the browser refuses to copy, the script selects the line instead. When the line shows more than the text to copy,
 * it selects a hidden element.
 */
const copyButton = (words: Words, { id, name, shown, copied = '' }: Detail): Html => {
  const said = words.awaiting.copied(name);
  const plain = copied === shown ? undefined : `${id}-plain`;
  return html`<dd class="do">${plain && html`<span class="unseen" id="${plain}" aria-hidden="true">${copied}</span>`}<button class="copy" type="button" hidden data-copy="${copied}" data-selected="${plain ?? id}" data-said="${said}">${copyIcon}<span data-label>${words.script.copy}</span><span class="unseen"> ${name.toLowerCase()}</span></button></dd>`;
};

/** Shows a long number in groups of four. Selecting it selects only digits. */
const inFours = (shown: string): Content =>
  /^\d{12,}$/.test(shown)
    ? [...(shown.match(/\d{1,4}/g) ?? [])].map((four) => html`<span class="four">${four}</span>`)
    : shown;

/** One line of the instructions, with its copy button. */
export const detail = (words: Words, one: Detail): Html =>
  html`<div><dt>${one.name}</dt><dd id="${one.id}"${one.copied === undefined ? undefined : html` class="strong"`}>${inFours(one.shown)}</dd>${one.copied === undefined ? undefined : copyButton(words, one)}</div>`;

/** The link back to the merchant, if the merchant gave one. It sends no referrer. */
export const wayBack = (
  { back }: Words,
  { state, merchantName, returnUrl }: CheckoutView,
  look: 'back' | 'button',
): Content => {
  if (returnUrl === undefined || !isWebAddress(returnUrl)) return undefined;
  return html`<a class="${look}" href="${returnUrl}" rel="noopener noreferrer">${look === 'back' ? backIcon : undefined}<span>${back[state](merchantName)}</span></a>`;
};
