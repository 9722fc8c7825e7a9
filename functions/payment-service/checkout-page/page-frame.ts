import { createHash } from 'node:crypto';
import type { Headers } from '../http/answers.ts';
import type { CheckoutView } from './checkout-view.ts';
import { Html, html } from './html.ts';
import { lockIcon, shopIcon } from './icons.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import type { Words } from './words/page-words.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

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

interface Frame {
  readonly title: string;
  readonly main: Html;
  /** Undefined when no checkout is known. The page shows the id, so that the customer can give it to the merchant. */
  readonly checkout?: Pick<CheckoutView, 'checkoutId' | 'merchantName' | 'sandbox'>;
  /** How often the page reloads without a script. Undefined for pages with a form, and for those that cannot change. */
  readonly renewSeconds?: number;
  /** Pages that can no longer change have no script. */
  readonly live: boolean;
}

const renewal = (seconds: number): Html =>
  html`<noscript><meta http-equiv="refresh" content="${seconds.toString()}"></noscript>`;

const merchant = (name: string): Html => html`<span class="merchant">${shopIcon}<bdi>${name}</bdi></span>`;

/** A complete page. */
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
