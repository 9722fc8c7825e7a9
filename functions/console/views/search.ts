import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';

/** Names of the fields that say who was to be paid. */
export const recipientFields = { bankCode: 'bankCode', account: 'account' } as const;

const field = (name: string, label: string, look: '' | 'long' = ''): Html =>
  html`<input name="${name}" aria-label="${label}" placeholder="${label}" class="${look}">`;

/**
 * Was somebody paid? Fields for a reference, and for a recipient. Their values come back with whatever is clicked, and are never
 * drawn.
 *
 * @param more what else there is to look for
 */
export const searchForm = (drawing: Drawing, more?: Html): Html => {
  const { bankCode, account } = recipientFields;
  const byReference = html`${field('reference', 'Reference of a payout')}${drawing.opens('Was it paid?', { view: 'payout' })}`;
  const byRecipient = html`${field(bankCode, 'Bank code')}${field(account, 'Account, wallet or recipient id', 'long')}`;
  const find = drawing.opens('Were they paid?', { view: 'recipient' });
  return html`<div class="groups bar"><div class="row">${byReference}</div><div class="row">${byRecipient}${find}</div>${more}</div>`;
};
