import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import type { Offer, ViewIn } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { kindIcons } from './icons.ts';
import { checkoutPage } from './page-frame.ts';
import { due, money, timeLeft, wayBack } from './page-parts.ts';
import type { Problem, Words } from './words/page-words.ts';

const kinds: readonly DepositKind[] = ['qris', 'va', 'bank_transfer', 'ewallet'];

const offerChoice = (words: Words, offer: Offer, only: boolean): Html => {
  const { withFee, withoutFee, nextWith } = words.choosing;
  const total = money(words, offer.total);
  const fee = offer.fee.isPositive() ? withFee(money(words, offer.fee)) : withoutFee;
  return html`<label class="offer"><input type="radio" name="paymentMethod" value="${offer.paymentMethod}" required data-next="${nextWith(offer.name)}"${only ? html` checked` : undefined}>
${kindIcons[offer.kind]}<span class="name">${offer.name}</span>
<span class="terms">${total} <span class="fee">${fee}</span></span></label>`;
};

const choices = (words: Words, { offers }: ViewIn<'choosing'>): Content =>
  kinds.map((kind) => {
    const ofKind = offers.filter((offer) => offer.kind === kind);
    if (ofKind.length === 0) return undefined;
    return [
      html`<p class="group">${words.kinds[kind]}</p>`,
      ofKind.map((offer) => offerChoice(words, offer, offers.length === 1)),
    ];
  });

/** The note that the choice is final is next to the button, so that nobody sees one without the other. */
const choiceOf = (words: Words, view: ViewIn<'choosing'>): Html => html`<fieldset>
<legend>${words.choosing.question}</legend>
${choices(words, view)}
</fieldset>
<div class="submit"><p class="hint" id="final">${words.choosing.final}</p>
<button class="button" type="submit" aria-describedby="final" data-submit>${words.choosing.next}</button></div>`;

/**
 * The page on which the customer chooses a payment method.
 *
 * @param problem the reason why the last choice was not accepted
 */
export const choosingPage = (words: Words, view: ViewIn<'choosing'>, problem?: Problem): string => {
  const { checkoutId, merchantName, amount, expiresAt } = view;
  const { title, said, problems, noOffers } = words.choosing;
  const heading = title(money(words, amount), merchantName);
  return checkoutPage(words, view, {
    title: heading,
    said,
    content: html`${wayBack(words, view, 'back')}
<div class="columns">
<section class="card summary">
<h1 class="unseen" tabindex="-1">${heading}</h1>
${due(words, words.facts.amount, amount, view)}
${timeLeft(words, expiresAt)}
</section>
<form class="card choose" method="post" action="${checkoutId}/method">
${problem === undefined ? undefined : html`<p class="problem" role="alert">${problems[problem]}</p>`}
<p class="offline" data-offline hidden>${words.offline}</p>
${view.offers.length === 0 ? html`<p class="problem" role="alert">${noOffers(merchantName)}</p>` : choiceOf(words, view)}
</form>
</div>`,
  });
};
