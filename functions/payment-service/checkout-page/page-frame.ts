import { createHash } from 'node:crypto';
import type { Headers } from '../http/answers.ts';
import type { CheckoutView } from './checkout-view.ts';
import { Html, html } from './html.ts';
import { lockIcon, shopIcon } from './icons.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import type { Words } from './words/page-words.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A dot in a square, so that no browser asks for a favicon. */
const pageIcon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%230b6b4f%22/%3E%3Ccircle cx=%228%22 cy=%228%22 r=%223%22 fill=%22%23fff%22/%3E%3C/svg%3E';

/** Nothing runs and nothing is drawn but what the page itself brings, named by its hash, and the QR code. */
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
 * Of every answer, pages and images alike. The address holds the id, which is all it takes to use the checkout: no referrer
 * tells it on, no cache or index keeps it, and no frame shows it.
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

export interface Frame {
  readonly title: string;
  readonly main: Html;
  /** Whose page it is: absent where no checkout is known. The id is shown below as what to name to the merchant. */
  readonly checkout?: Pick<CheckoutView, 'checkoutId' | 'merchantName' | 'sandbox'>;
  /** Without a script, the page asks again by itself so often; absent on pages that hold a choice or will not change. */
  readonly renewSeconds?: number;
  /** Pages that nothing can change any more have no script. */
  readonly live: boolean;
}

const renewal = (seconds: number): Html =>
  html`<noscript><meta http-equiv="refresh" content="${seconds.toString()}"></noscript>`;

const merchant = (name: string): Html => html`<span class="merchant">${shopIcon}<bdi>${name}</bdi></span>`;

/** A whole page. */
export const framed = (words: Words, frame: Frame): string => {
  const { title, main, checkout, renewSeconds, live } = frame;
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${pageIcon}">
${renewSeconds === undefined ? undefined : renewal(renewSeconds)}
<style>${new Html(pageStyle)}</style>
</head>
<body>
${checkout?.sandbox ? html`<p class="sandbox-note">${words.sandboxNote}</p>` : undefined}
<header class="wide bar">${checkout && merchant(checkout.merchantName)}<span class="secure">${lockIcon}${words.secure}</span></header>
<p id="announcer" class="unseen" role="status"></p>
${main}
<footer class="wide">${checkout && html`${words.reference} <code>${checkout.checkoutId}</code>`}</footer>
${live ? html`<script>${new Html(pageScript)}</script>` : undefined}
</body>
</html>
`.source;
};
