import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import { isPositive } from '../domain/money/money.ts';
import type { Choosing, Offer } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { kindIcons } from './icons.ts';
import { framed } from './page-frame.ts';
import { bigAmount, kindNames, liveMain, money, timeLeft } from './page-parts.ts';

const kinds: readonly DepositKind[] = ['qris', 'va', 'bank_transfer', 'ewallet'];

function offerChoice(currency: string, offer: Offer, only: boolean): Html {
  const total = money(currency, offer.total);
  const fee = isPositive(offer.fee) ? `incl. fee ${money(currency, offer.fee)}` : 'no fee';
  return html`<label class="offer"><input type="radio" name="paymentMethod" value="${offer.paymentMethod}" required data-next="Continue with ${offer.name}"${only ? html` checked` : undefined}>
${kindIcons[offer.kind]}<span class="name">${offer.name}</span>
<span class="terms">${total} <span class="fee">${fee}</span></span></label>`;
}

function choices({ currency, offers }: Choosing): Content {
  return kinds.map((kind) => {
    const ofKind = offers.filter((offer) => offer.kind === kind);
    if (ofKind.length === 0) return undefined;
    return [
      html`<p class="group">${kindNames[kind]}</p>`,
      ofKind.map((offer) => offerChoice(currency, offer, offers.length === 1)),
    ];
  });
}

const choiceOf = (view: Choosing): Html => html`<fieldset>
<legend>How do you want to pay?</legend>
${choices(view)}
</fieldset>
<p class="hint">The method cannot be changed afterwards.</p>
<div class="submit"><button class="button" type="submit" data-submit>Continue</button></div>`;

const noOffers = (merchantName: string): Html =>
  html`<p class="problem" role="alert">No payment method takes this amount at the moment. Go back to ${merchantName} and start again.</p>`;

/**
 * The page on which a payment method is chosen.
 *
 * @param problem why the last choice was not taken, when it was not
 */
export function choosingPage(view: Choosing, problem?: string): string {
  const { checkoutId, merchantName, currency, amount, expiresAt, sandbox } = view;
  const heading = `Pay ${money(currency, amount)} to ${merchantName}`;
  return framed({
    title: heading,
    sandbox,
    checkoutId,
    live: true,
    main: liveMain(
      view,
      'Choose how to pay.',
      html`<div class="columns">
<section class="card summary" aria-label="Summary">
<h1 class="unseen" tabindex="-1">${heading}</h1>
<p class="to">Pay <strong>${merchantName}</strong></p>
${bigAmount(currency, amount)}
${timeLeft(expiresAt)}
</section>
<form class="card choose" method="post" action="${checkoutId}/method">
${problem === undefined ? undefined : html`<p class="problem" role="alert">${problem}</p>`}
<p class="offline" data-offline hidden>The connection is lost. Trying again…</p>
${view.offers.length === 0 ? noOffers(merchantName) : choiceOf(view)}
</form>
</div>`,
    ),
  });
}
