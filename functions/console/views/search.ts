import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';

const field = (name: string, label: string, look: '' | 'long' = ''): Html =>
  html`<input name="${name}" aria-label="${label}" placeholder="${label}" class="${look}">`;

/**
 * A form that answers "was somebody paid?", with fields for a reference and for a recipient. Each click sends their
 * values, and no view ever shows them.
 *
 * @param more further search fields
 */
export const searchForm = (drawing: Drawing, more?: Html): Html => {
  const byReference = html`${field('reference', 'Reference of a payout')}${drawing.opens('Was it paid?', { view: 'payout' })}`;
  const byRecipient = html`${field('bankCode', 'Bank code')}${field('account', 'Account, wallet or recipient id', 'long')}`;
  const find = drawing.opens('Were they paid?', { view: 'recipient' });
  return html`<div class="groups bar"><div class="row">${byReference}</div><div class="row">${byRecipient}${find}</div>${more}</div>`;
};
