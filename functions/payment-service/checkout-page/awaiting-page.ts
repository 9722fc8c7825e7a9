import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import { subtract } from '../domain/money/money.ts';
import type { AwaitingPayment } from './checkout-view.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { leaveIcon } from './icons.ts';
import { framed } from './page-frame.ts';
import type { Detail } from './page-parts.ts';
import { bigAmount, detail, fact, liveMain, money, priceFacts, timeLeft } from './page-parts.ts';

/** Longer than a payment takes to be noticed, shorter than patience. */
const renewSeconds = 10;

const headings: Readonly<Record<DepositKind, (name: string) => string>> = {
  qris: (name) => `Scan to pay with ${name}`,
  va: (name) => `Transfer to your ${name} virtual account`,
  bank_transfer: (name) => `Transfer to this ${name} account`,
  ewallet: (name) => `Pay in ${name}`,
};

const steps: Readonly<Record<DepositKind, (total: string) => readonly string[]>> = {
  qris: (total) => [
    'Open your banking or wallet app and choose to scan a QR code.',
    'Paying on this device? Save the QR code and open it from the gallery in the app.',
    `Check that the amount is ${total}, and confirm.`,
  ],
  va: (total) => [
    'Open your banking app and choose a transfer to a virtual account.',
    'Enter the account number above. It is for this payment only.',
    `Pay exactly ${total}.`,
  ],
  bank_transfer: (total) => [
    'Open your banking app and choose a transfer.',
    'Enter the account above, and the payment reference where one is shown.',
    `Pay exactly ${total}; another amount is not recognised.`,
  ],
  ewallet: (total) => [
    'Open the wallet by the button above, and log in.',
    `Check that the amount is ${total}, and confirm.`,
    'Come back here: this page tells when the payment has arrived.',
  ],
};

/** Only an https address is made a link of. */
const isWebAddress = (address: string): boolean => /^https:\/\/[^\s]+$/.test(address);

type Line = readonly [id: string, name: string, shown: string | undefined, copies?: 'copied'];

/** What a transfer needs, in the order in which banks ask for it. */
function details({ currency, picked, instructions }: AwaitingPayment): readonly Detail[] {
  const { accountNumber, paymentReference, routingNumber, intlCode } = instructions;
  const account: readonly Line[] = [
    ['bank', 'Bank', picked.name],
    ['bank-address', 'Bank address', instructions.bankAddress],
    ['account-number', 'Account number', accountNumber, 'copied'],
    ['routing-ach', 'Routing number (ACH)', routingNumber?.ach, 'copied'],
    ['routing-wire', 'Routing number (wire)', routingNumber?.wire, 'copied'],
    ['swift', 'SWIFT code', intlCode?.swift, 'copied'],
    ['account-name', 'Account name', instructions.accountName],
    ['account-address', 'Account holder’s address', instructions.accountAddress],
    ['payment-reference', 'Payment reference', paymentReference, 'copied'],
  ];
  const shownLines = accountNumber === undefined ? [] : account;
  return [
    ...shownLines.flatMap(([id, name, shown, copies]) =>
      shown === undefined ? [] : [{ id, name, shown, ...(copies === undefined ? {} : { copied: shown }) }],
    ),
    { id: 'to-pay', name: 'Amount to pay', shown: money(currency, picked.total), copied: picked.total },
  ];
}

const qrCode = ({ checkoutId, currency, merchantName, picked }: AwaitingPayment): Html => {
  const alternative = `QR code: pay ${money(currency, picked.total)} to ${merchantName} with ${picked.name}`;
  return html`<figure class="qr"><img src="${checkoutId}/qr.png" width="264" height="264" alt="${alternative}"></figure>
<a class="save" href="${checkoutId}/qr.png" download="${checkoutId}.png">Save the QR code</a>`;
};

const walletLink = (name: string, address: string): Html =>
  html`<a class="button wallet" href="${address}" target="_blank" rel="noopener noreferrer">Open ${name}${leaveIcon}<span class="unseen"> in a new tab</span></a>`;

const sandboxPayment = (checkoutId: string, total: string): Html =>
  html`<form class="play" method="post" action="${checkoutId}/pay">
<p>Only in the sandbox: this plays the customer whose payment arrives.</p>
<button class="button" type="submit">Pay ${total} now</button>
</form>`;

function instructionsOf(view: AwaitingPayment): Content {
  const { qrData, checkoutUrl } = view.instructions;
  return [
    qrData === undefined ? undefined : qrCode(view),
    checkoutUrl !== undefined && isWebAddress(checkoutUrl) ? walletLink(view.picked.name, checkoutUrl) : undefined,
    html`<dl class="details">${details(view).map(detail)}</dl>`,
  ];
}

/** The page with the instructions of the method that was picked, until the payment arrives. */
export function awaitingPage(view: AwaitingPayment): string {
  const { checkoutId, merchantName, currency, picked, expiresAt, sandbox } = view;
  const total = money(currency, picked.total);
  const heading = headings[picked.kind](picked.name);
  return framed({
    title: `${total} to ${merchantName}: waiting for your payment`,
    sandbox,
    checkoutId,
    renewSeconds,
    live: true,
    main: liveMain(
      view,
      `${heading}. Waiting for your payment.`,
      html`<div class="columns">
<section class="card summary" aria-label="Summary">
<p class="to">Pay <strong>${merchantName}</strong></p>
${bigAmount(currency, picked.total)}
<dl class="facts">${fact('Method', picked.name)}${priceFacts(currency, picked, subtract(picked.total, picked.fee))}</dl>
${timeLeft(expiresAt)}
</section>
<section class="card" aria-labelledby="task">
<p class="state"><span class="dot"></span>Waiting for your payment</p>
<p class="offline" data-offline hidden>The connection is lost. Trying again…</p>
<h1 id="task" tabindex="-1">${heading}</h1>
${instructionsOf(view)}
<ol class="steps">${steps[picked.kind](total).map((step) => html`<li>${step}</li>`)}</ol>
${sandbox ? sandboxPayment(checkoutId, total) : undefined}
</section>
</div>`,
    ),
  });
}
