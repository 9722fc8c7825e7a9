import type { ViewIn } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { clockIcon, doneIcon, wrongIcon } from './icons.ts';
import { checkoutPage, framed } from './page-frame.ts';
import { fact, money, order, shownMoment, wayBack } from './page-parts.ts';
import type { Words } from './words/page-words.ts';

const outcome = (badge: Html, heading: string, content: Content): Html =>
  html`<section class="card outcome">
${badge}
<h1 tabindex="-1">${heading}</h1>
${content}
</section>`;

/** The page of a checkout that has ended. */
const endedPage = (
  words: Words,
  view: ViewIn<'completed'> | ViewIn<'expired'>,
  end: { readonly title: string; readonly heading: string; readonly badge: Html; readonly content: Html },
): string => {
  const content = outcome(end.badge, end.heading, end.content);
  return checkoutPage(words, view, { title: end.title, said: `${end.heading}.`, content });
};

/** The page of a paid checkout, even after its validity, so that the customer can still see the payment. */
export const completedPage = (words: Words, view: ViewIn<'completed'>): string => {
  const { merchantName, picked, paidAt } = view;
  const { facts } = words;
  const { title, heading, arrived, mayClose } = words.completed;
  const back = wayBack(words, view, 'button');
  const total = money(words, picked.total);
  return endedPage(words, view, {
    title: title(total, merchantName),
    heading,
    badge: html`<div class="badge">${doneIcon}</div>`,
    content: html`<p class="lead">${arrived(merchantName)}${back === undefined ? ` ${mayClose}` : undefined}</p>
${order(view)}
<dl class="facts">
${fact(facts.paid, total, 'sum')}
${fact(facts.method, picked.name)}
${fact(facts.when, shownMoment(words, paidAt))}
</dl>
${back}`,
  });
};

/** The page of a checkout that was canceled or not paid in time. Only a sandbox update can change that. */
export const expiredPage = (words: Words, view: ViewIn<'expired'>): string => {
  const { merchantName, expiresAt, secondsLeft, picked } = view;
  const { title, heading, over, until, again, doNotFollow } = words.expired;
  // A merchant can cancel the checkout's deposit before the customer pays.
  const since = secondsLeft > 0 ? over : html`${until} ${shownMoment(words, expiresAt)}.`;
  return endedPage(words, view, {
    title: title(merchantName),
    heading,
    badge: html`<div class="badge gone">${clockIcon}</div>`,
    content: html`<p class="lead">${since} ${again(merchantName)}</p>
${order(view)}
${picked && html`<p class="caution">${doNotFollow(picked.name)}</p>`}
${wayBack(words, view, 'button')}`,
  });
};

/** A page about an error. It shows no checkout. */
export const errorPage = (words: Words, error: keyof Words['errors']): string => {
  const { heading, explanation } = words.errors[error];
  const shown = outcome(
    html`<div class="badge wrong">${wrongIcon}</div>`,
    heading,
    html`<p class="lead">${explanation}</p>`,
  );
  return framed(words, heading, html`<main class="wide">${shown}</main>`);
};
