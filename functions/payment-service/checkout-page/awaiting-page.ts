import type { ViewIn } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { leaveIcon } from './icons.ts';
import { checkoutPage } from './page-frame.ts';
import type { Detail } from './page-parts.ts';
import { detail, due, fact, isWebAddress, money, priceFacts, timeLeft, wayBack } from './page-parts.ts';
import type { Words } from './words/page-words.ts';

type Line = readonly [id: string, name: string, shown: string | undefined, copies?: 'copied'];

/** The details of a transfer, in the order in which banks ask for them. */
const details = (words: Words, { picked, instructions }: ViewIn<'awaiting_payment'>): readonly Detail[] => {
  const names = words.awaiting.details;
  const { accountNumber, paymentReference, routingNumber, intlCode } = instructions;
  const account: readonly Line[] = [
    ['bank', names.bank, picked.name],
    ['bank-address', names.bankAddress, instructions.bankAddress],
    ['account-number', names.accountNumber, accountNumber, 'copied'],
    ['routing-ach', names.ach, routingNumber?.ach, 'copied'],
    ['routing-wire', names.wire, routingNumber?.wire, 'copied'],
    ['swift', names.swift, intlCode?.swift, 'copied'],
    ['account-name', names.accountName, instructions.accountName],
    ['account-address', names.accountAddress, instructions.accountAddress],
    ['payment-reference', names.paymentReference, paymentReference, 'copied'],
  ];
  const shownLines = accountNumber === undefined ? [] : account;
  return [
    ...shownLines.flatMap(([id, name, shown, copies]) =>
      shown === undefined ? [] : [{ id, name, shown, copied: copies && shown }],
    ),
    { id: 'to-pay', name: names.total, shown: money(words, picked.total), copied: picked.total.amount },
  ];
};

const qrCode = (words: Words, { checkoutId, merchantName, picked }: ViewIn<'awaiting_payment'>): Html => {
  const alternative = words.awaiting.qrCode(money(words, picked.total), merchantName, picked.name);
  return html`<figure class="qr"><img src="${checkoutId}/qr.png" width="264" height="264" alt="${alternative}"></figure>
<a class="save" href="${checkoutId}/qr.png" download="${checkoutId}.png">${words.awaiting.saveQrCode}</a>`;
};

const walletLink = ({ awaiting }: Words, name: string, address: string): Html =>
  html`<a class="button wallet" href="${address}" target="_blank" rel="noopener noreferrer">${awaiting.open(name)}${leaveIcon}<span class="unseen"> ${awaiting.inNewTab}</span></a>`;

const sandboxPayment = ({ awaiting }: Words, checkoutId: string, total: string): Html =>
  html`<form class="play" method="post" action="${checkoutId}/pay">
<p>${awaiting.play}</p>
<button class="button" type="submit">${awaiting.payNow(total)}</button>
</form>`;

const instructionsOf = (words: Words, view: ViewIn<'awaiting_payment'>): Content => {
  const { qrData, checkoutUrl } = view.instructions;
  return [
    qrData === undefined ? undefined : qrCode(words, view),
    checkoutUrl !== undefined && isWebAddress(checkoutUrl)
      ? walletLink(words, view.picked.name, checkoutUrl)
      : undefined,
    html`<dl class="details">${details(words, view).map((one) => detail(words, one))}</dl>`,
  ];
};

/** The page after a method was picked: it shows the instructions until the payment arrives. */
export const awaitingPage = (words: Words, view: ViewIn<'awaiting_payment'>): string => {
  const { checkoutId, merchantName, picked, expiresAt, sandbox } = view;
  const { title, waiting, headings, steps, mayLeave } = words.awaiting;
  const total = money(words, picked.total);
  const heading = headings[picked.kind](picked.name);
  return checkoutPage(words, view, {
    title: title(total, merchantName),
    said: `${heading}. ${waiting}.`,
    content: html`${wayBack(words, view, 'back')}
<div class="columns">
<section class="card summary">
${due(words, words.facts.total, picked.total, view)}
<dl class="facts">${fact(words.facts.method, picked.name)}${priceFacts(words, picked)}</dl>
${timeLeft(words, expiresAt)}
</section>
<section class="card" aria-labelledby="task">
<p class="state"><span class="dot"></span>${waiting}</p>
<p class="offline" data-offline hidden>${words.offline}</p>
<h1 id="task" tabindex="-1">${heading}</h1>
${instructionsOf(words, view)}
<ol class="steps">${steps[picked.kind](total).map((step) => html`<li>${step}</li>`)}</ol>
<p class="hint">${mayLeave}</p>
${sandbox ? sandboxPayment(words, checkoutId, total) : undefined}
</section>
</div>`,
  });
};
