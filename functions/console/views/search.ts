import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';

/** Names of the fields that say who was to be paid. */
export const recipientFields = { bankCode: 'bankCode', account: 'account' } as const;

const field = (name: string, label: string): Html =>
  html`<input name="${name}" aria-label="${label}" placeholder="${label}">`;

/**
 * Was somebody paid? Fields for a reference, and for a recipient. Their values come back with whatever is clicked, and are never
 * drawn.
 */
export const searchForm = (drawing: Drawing): Html =>
  html`<div class="row bar">${field('reference', 'Reference of a payout')}${drawing.opens('Was it paid?', {
    view: 'payout',
  })}</div><div class="row bar">${field(recipientFields.bankCode, 'Bank code')}${field(
    recipientFields.account,
    'Account number, wallet or recipient id',
  )}${drawing.opens('Were they paid?', { view: 'recipient' })}</div>`;
