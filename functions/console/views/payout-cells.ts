import type { PayoutView } from '../../api/schemas/payout.ts';
import { Money } from '../../domain/money/money.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Column } from '../markup/widget.ts';
import { badge } from '../words/labels.ts';
import { toneOfPayout } from '../words/tones.ts';
import { moneyOf } from './counts-and-money.ts';

/** The reference, which opens the payout, above its destination. */
const referenceCell = (drawing: Drawing, { reference, bankCode, account }: PayoutView): Html => {
  const destination = account === undefined ? undefined : html`<div class="id">${bankCode} ${account}</div>`;
  return html`${drawing.opens(reference, { view: 'payout', reference }, { look: 'link' })}${destination}`;
};

/** The state of the payout's retry, with a link to it. */
export const retryCell = (drawing: Drawing, { lastRetry }: Pick<PayoutView, 'lastRetry'>): Content => {
  if (lastRetry === undefined) return undefined;
  const { reference, status } = lastRetry;
  return html`${drawing.opens(reference, { view: 'payout', reference }, { look: 'link' })} ${badge(status, toneOfPayout(status))}`;
};

/** The status, and whether contradictions of it wait for a person. */
export const statusBadges = ({ status, contradictions = [] }: PayoutView): Html => {
  const isContradicted = contradictions.some(({ noted }) => !noted);
  return html`${badge(status, toneOfPayout(status))}${isContradicted ? html` ${badge('contradicted', 'waits')}` : undefined}`;
};

const statusCell = (drawing: Drawing, payout: PayoutView): Html => {
  const retry = retryCell(drawing, payout);
  const again = retry && html`<div class="muted">tried again: ${retry}</div>`;
  return html`${statusBadges(payout)}${again}`;
};

/** The reason of the payout's status, with the provider's own text. */
export const reasonCell = ({ reason }: Pick<PayoutView, 'reason'>): Content => {
  if (reason === undefined) return undefined;
  const { message, providerText } = reason;
  return providerText === undefined
    ? message
    : html`${message}<div class="muted">The provider: “${providerText}”</div>`;
};

/** A button for the link to the transfer proof, if one is archived. */
export const proofCell = (drawing: Drawing, { reference, proof }: PayoutView): Content =>
  proof && drawing.opens('Proof', { view: 'proof', reference }, { look: 'link', inPopup: true });

/** Columns that all lists of payouts share. A list may put another column in front. */
export const payoutColumns: readonly Column[] = [
  'Reference',
  { name: 'Amount', isRight: true },
  ...['Status', 'Why', 'Since', 'Proof'],
];

/** The cells of these columns. */
export const payoutCells = (drawing: Drawing, payout: PayoutView): readonly Content[] => [
  referenceCell(drawing, payout),
  moneyOf(Money.of(payout.amount, payout.currency)),
  statusCell(drawing, payout),
  reasonCell(payout),
  drawing.time(payout.since),
  proofCell(drawing, payout),
];
