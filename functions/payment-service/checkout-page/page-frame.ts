import { hash } from 'node:crypto';
import type { Headers } from '../http/answers.ts';
import type { CheckoutView } from './checkout-view.ts';
import type { Content } from './html.ts';
import { Html, html } from './html.ts';
import { lockIcon, shopIcon } from './icons.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import type { Words } from './words/page-words.ts';

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** An icon in the page itself, so that no browser requests a favicon. */
const pageIcon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%230b6b4f%22/%3E%3Ccircle cx=%228%22 cy=%228%22 r=%223%22 fill=%22%23fff%22/%3E%3C/svg%3E';

/** Allows only the page's own style and script, identified by hash, and images from the same address. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(pageStyle)}`,
  `script-src ${hashOf(pageScript)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The headers of every answer, pages and images alike. The address contains the id, which is the only credential. So no
 * referrer reveals it, no cache or index stores it, and no frame shows the page.
 */
export const secureHeaders: Headers = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * Without a script, the page that waits for the payment reloads. 10 seconds are longer than it takes to notice a payment,
 * and short enough not to try the customer's patience. Pages with a form do not reload.
 */
const renewal = html`<noscript><meta http-equiv="refresh" content="10"></noscript>`;

/** Pages that can no longer change have no script. */
const script = html`<script>${new Html(pageScript)}</script>`;

const merchant = (name: string): Html => html`<span class="merchant">${shopIcon}<bdi>${name}</bdi></span>`;

/**
 * A complete page.
 *
 * @param view undefined when no checkout is known. The page shows its id, so that the customer can give it to the merchant
 */
export const framed = (words: Words, title: string, main: Html, view?: CheckoutView): string => {
  const isWaiting = view?.state === 'awaiting_payment';
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${pageIcon}">
${isWaiting ? renewal : undefined}
<style>${new Html(pageStyle)}</style>
</head>
<body>
${view?.sandbox ? html`<p class="sandbox-note">${words.sandboxNote}</p>` : undefined}
<header class="wide bar">${view && merchant(view.merchantName)}<span class="secure">${lockIcon}${words.secure}</span></header>
<p id="announcer" class="unseen" role="status"></p>
${main}
<footer class="wide">${view && html`${words.reference} <code>${view.checkoutId}</code>`}</footer>
${isWaiting || view?.state === 'choosing' ? script : undefined}
</body>
</html>
`.source;
};

/**
 * A page of a checkout, with the data that the script needs. The script announces `said` to screen readers when the page
 * changes to this state.
 */
export const checkoutPage = (
  words: Words,
  view: CheckoutView,
  { title, said, content }: { readonly title: string; readonly said: string; readonly content: Content },
): string => {
  const main = html`<main class="wide" data-words="${JSON.stringify(words.script)}" data-state="${view.state}" data-seconds-left="${view.secondsLeft.toString()}" data-state-address="${view.checkoutId}/state" data-said="${said}">
${content}
</main>`;
  return framed(words, title, main, view);
};
