import type { DepositKind } from '../domain/deposits/deposit-methods.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const icon = (shape: Html): Html => html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">${shape}</svg>`;

export const lockIcon = icon(
  html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`,
);
export const shopIcon = icon(
  html`<path d="M4 10v9a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-9M3 9l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM10 20v-5h4v5"/>`,
);
export const backIcon = icon(html`<path d="M19 12H5M11 6l-6 6 6 6"/>`);
export const clockIcon = icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`);
export const copyIcon = icon(
  html`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h8a1 1 0 0 1 1 1"/>`,
);
export const doneIcon = icon(html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`);
export const wrongIcon = icon(html`<path d="M12 5v9M12 18.75v.25"/>`);
export const leaveIcon = icon(
  html`<path d="M14 5h5v5M19 5l-8 8M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4"/>`,
);

export const kindIcons: Readonly<Record<DepositKind, Html>> = {
  qris: icon(
    html`<rect x="4" y="4" width="6" height="6" rx="1"/><rect x="14" y="4" width="6" height="6" rx="1"/><rect x="4" y="14" width="6" height="6" rx="1"/><path d="M14 14h2v2M20 14v2M14 20h2M20 20v-1"/>`,
  ),
  va: icon(html`<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 10h18M7 15h4"/>`),
  bank_transfer: icon(html`<path d="M4 10l8-5 8 5M5 20h14M6 10v7M10 10v7M14 10v7M18 10v7"/>`),
  ewallet: icon(
    html`<path d="M4 8a2 2 0 0 1 2-2h11a1 1 0 0 1 1 1v2M4 8v9a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-6a2 2 0 0 0-2-2H5a1 1 0 0 1-1-1z"/><path d="M16 14h.01"/>`,
  ),
};
