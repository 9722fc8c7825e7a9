import { expect, it } from 'vitest';
import { awaitingPage } from '../../../../../functions/payment-service/checkout-page/awaiting-page.ts';
import { choosingPage } from '../../../../../functions/payment-service/checkout-page/choosing-page.ts';
import {
  completedPage,
  errorPage,
  expiredPage,
} from '../../../../../functions/payment-service/checkout-page/outcome-pages.ts';
import type { Words } from '../../../../../functions/payment-service/checkout-page/words/page-words.ts';
import { pageWords } from '../../../../../functions/payment-service/checkout-page/words/page-words.ts';
import { awaiting, choosing, completed, expired } from '../../../../support/payment-service/deposits/checkout-views.ts';

/** Every text of a table with its position, and digits in its gaps. */
const textsOf = (words: unknown, place: string): readonly (readonly [place: string, text: string])[] => {
  if (typeof words === 'string') return [[place, words]];
  if (typeof words === 'function') return textsOf(words('1', '2', '3'), place);
  return Object.entries(words ?? {}).flatMap(([name, part]) => textsOf(part, place === '' ? name : `${place}.${name}`));
};

it('every text is translated, and none is empty', () => {
  const english = new Map(textsOf(pageWords.en, ''));
  const indonesian = textsOf(pageWords.id, '');
  expect(indonesian.filter(([place, text]) => english.get(place) === text).map(([place]) => place)).toEqual([
    'kinds.va',
    'awaiting.details.bank',
  ]);
  expect([...english, ...indonesian].filter(([, text]) => text.trim() === '')).toEqual([]);
});

const mark = '¤';

/** The same table with a mark in place of every text. */
const marked = (words: unknown): unknown => {
  if (typeof words === 'string') return mark;
  if (typeof words === 'function') return (...given: unknown[]) => marked(words(...given));
  if (Array.isArray(words)) return words.map(marked);
  return Object.fromEntries(Object.entries(words ?? {}).map(([name, part]) => [name, marked(part)]));
};

const words = { ...(marked(pageWords.en) as Words), language: 'en' };
const returnUrl = 'https://kopi.example/';

it.each<readonly [state: string, page: string]>([
  ['choosing', choosingPage(words, { ...choosing, returnUrl }, 'gone')],
  ['choosing, without an offer', choosingPage(words, { ...choosing, offers: [] })],
  ...Object.entries(awaiting).map(([kind, view]) => [kind, awaitingPage(words, { ...view, returnUrl })] as const),
  ['completed', completedPage(words, { ...completed, returnUrl })],
  ['completed, without a link back', completedPage(words, completed)],
  ['expired', expiredPage(words, { ...expired, picked: completed.picked, returnUrl })],
  ['canceled', expiredPage(words, { ...expired, secondsLeft: 60 })],
  ['an error', errorPage(words, 'broken')],
])('every text on the page comes from the table: %s', (_, page) => {
  const values =
    /Kopi Nusantara|Two bags of coffee|QRIS|BCA|Bank Mandiri|GoPay|PT Payment Service|PAY-7F3K9|chk_\w+|IDR|UTC|Nov/g;
  const attributes = [...page.matchAll(/ (?:alt|title|aria-label|placeholder|data-said|data-next)="([^"]*)"/g)];
  const texts = page.replace(/<(style|script)>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');
  const text = [texts, ...attributes.map(([, value]) => value)].join(' ').replace(values, '');
  expect(text).toContain(mark);
  expect(text.match(/[A-Za-z]+/g)).toBeNull();
});
