import type { Completed, Expired } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { clockIcon, doneIcon, wrongIcon } from './icons.ts';
import { framed } from './page-frame.ts';
import { fact, liveMain, money, shownMoment } from './page-parts.ts';

const outcome = (badge: Html, heading: string, content: Content): Html =>
  html`<section class="card outcome">
${badge}
<h1 tabindex="-1">${heading}</h1>
${content}
</section>`;

/** The page that a paid checkout shows from then on, after its validity too: whoever paid can see it. */
export function completedPage(view: Completed): string {
  const { checkoutId, merchantName, currency, picked, paidAt, sandbox } = view;
  return framed({
    title: `Paid: ${money(currency, picked.total)} to ${merchantName}`,
    sandbox,
    checkoutId,
    live: false,
    main: liveMain(
      view,
      'Payment received.',
      outcome(
        html`<div class="badge">${doneIcon}</div>`,
        'Payment received',
        html`<p class="lead">Your payment to ${merchantName} has arrived. You can close this page.</p>
<dl class="facts">
${fact('Paid', money(currency, picked.total), 'sum')}
${fact('Method', picked.name)}
${fact('When', shownMoment(paidAt))}
</dl>`,
      ),
    ),
  });
}

const doNotFollow = (name: string): Html =>
  html`<p class="caution">Do not use the ${name} instructions you were shown any more. If you have paid already, name the reference below to the merchant.</p>`;

/** The page of a checkout that was not paid in time. Nothing brings it back. */
export function expiredPage(view: Expired): string {
  const { checkoutId, merchantName, expiresAt, secondsLeft, picked, sandbox } = view;
  // A merchant can cancel what a customer has not paid yet.
  const since =
    secondsLeft > 0 ? 'It cannot be paid any more.' : html`It could be paid until ${shownMoment(expiresAt)}.`;
  return framed({
    title: `This checkout of ${merchantName} has expired`,
    sandbox,
    checkoutId,
    live: false,
    main: liveMain(
      view,
      'This checkout has expired.',
      outcome(
        html`<div class="badge gone">${clockIcon}</div>`,
        'This checkout has expired',
        html`<p class="lead">${since} Go back to ${merchantName} and start again.</p>
${picked === undefined ? undefined : doNotFollow(picked.name)}`,
      ),
    ),
  });
}

/** A page that says why there is nothing else. It knows no checkout, so it tells nothing of one. */
export const errorPage = (heading: string, explanation: string): string =>
  framed({
    title: heading,
    live: false,
    main: html`<main class="wide">${outcome(html`<div class="badge wrong">${wrongIcon}</div>`, heading, html`<p class="lead">${explanation}</p>`)}</main>`,
  });
