import type { PayoutPage, PayoutView } from '../../api/schemas/payout.ts';
import { describeCode } from '../../domain/batch/batch-status-text.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { formatCount } from '../../domain/money/format-money.ts';
import { Money } from '../../domain/money/money.ts';
import { isEnd } from '../../domain/payout/payout-status.ts';
import { missingProofReason } from '../../domain/payout/proofs.ts';
import { endedUnpaid } from '../../domain/payout/retries.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { facts, table, widget } from '../markup/widget.ts';
import type { PayoutsParams } from '../request.ts';
import { paidStatuses } from '../words/tones.ts';
import { actionButtons } from './action-buttons.ts';
import { moneyOf } from './counts-and-money.ts';
import { payoutCells, payoutColumns, proofCell, reasonCell, retryCell, statusBadges } from './payout-cells.ts';

/** A page of a batch's payouts, as this view shows them. */
export const drawPayouts = (drawing: Drawing, view: PayoutsParams, { payouts, cursor }: PayoutPage): Html => {
  const { batchId } = view;
  const which = view.view === 'contradicted' ? view.view : view.status;
  const rows = payouts.map((payout) => [formatCount(payout.row), ...payoutCells(drawing, payout)]);
  return widget(
    drawing,
    html`<p class="row">${drawing.batch(batchId, '← The batch')}</p>`,
    html`<h1>${which === undefined ? 'Payouts' : `Payouts: ${describeCode(which)}`}</h1><div class="id">${batchId}</div>`,
    table(['Row', ...payoutColumns], rows, 'There are none.'),
    html`<p class="row">${cursor && drawing.opens('More', { ...view, cursor })}</p>`,
  );
};

type Judged = Pick<PayoutView, 'status' | 'reason' | 'contradictions'>;

/** What is known of one payout. A contradicted one is not judged, noted or not: its status stays wrong. */
const knownOf = (payout: Judged): 'Paid' | 'Not paid' | 'May have been paid' | 'Not settled yet' | undefined => {
  if ((payout.contradictions ?? []).length > 0) return undefined;
  if (endedUnpaid(payout)) return 'Not paid';
  if (!isEnd(payout.status)) return 'Not settled yet';
  return paidStatuses.includes(payout.status) ? 'Paid' : 'May have been paid';
};

/** A short answer to "was it paid?", shown first. A retry counts only while its original surely was not paid. */
const verdict = (payout: PayoutView): string => {
  const known = knownOf(payout);
  if (known === undefined) return 'The provider contradicts it: see below';
  if (known !== 'Not paid' || payout.lastRetry === undefined) return known;
  const retried = knownOf(payout.lastRetry);
  if (retried === undefined) return 'The provider contradicts its retry';
  return retried === 'Paid' ? 'Paid by a retry' : retried;
};

/** The fee, and whether the provider has refunded it. */
const feeCell = (payout: PayoutView): Content => {
  const { fee, currency } = payout;
  if (fee === undefined) return undefined;
  const back = endedUnpaid(payout) ? html` <span class="muted">given back</span>` : undefined;
  return html`${moneyOf(Money.of(fee, currency))}${back}`;
};

/** Decisions that a person may send to the API, signed. */
const decisions = ({ decisions: offered }: NonNullable<PayoutView['wayOut']>): Content =>
  offered.length > 0 &&
  html`<p class="muted">Settle it as ${offered.map((one, index) => html`${index === 0 ? '' : ', '}<code>${one}</code>`)}.</p>`;

/**
 * One payout: whether it was paid, why not, and what to do.
 *
 * @param plan the plan of its batch
 */
export const drawPayout = (
  drawing: Drawing,
  payout: PayoutView,
  plan: Pick<PlanSummary, 'hasNoProofs'> | undefined,
): Html => {
  const { batchId, reference, wayOut, contradictions = [] } = payout;
  const sameRecipient = { view: 'recipient', sameAs: reference } as const;
  const toRecipient = drawing.opens('All payouts to this recipient', sameRecipient, { look: 'link' });
  const whatToDo =
    wayOut &&
    html`<h2>What to do</h2><div class="note"><p>${wayOut.message}</p>${actionButtons(drawing, wayOut.requests)}${decisions(wayOut)}</div>`;
  const against = contradictions.map(({ code, disbursementId, observed, at, noted }) => [
    describeCode(code),
    html`<span class="id">${disbursementId}</span>`,
    describeCode(observed),
    drawing.time(at),
    noted ? 'yes' : 'no',
  ]);
  const names = ['What', 'Disbursement', 'The provider says', 'Seen', 'Noted by a person'];
  return widget(
    drawing,
    html`<p class="row">${drawing.batch(batchId, '← The batch')}${toRecipient}${drawing.opens('All batches', { view: 'batches' }, { look: 'link' })}</p>`,
    html`<div class="row"><h1>${verdict(payout)}</h1>${statusBadges(payout)}</div>`,
    payout.reason === undefined ? undefined : html`<div>${reasonCell(payout)}</div>`,
    facts([
      ['Amount', moneyOf(Money.of(payout.amount, payout.currency))],
      ['Reference', reference],
      ['Bank', payout.bankCode],
      ['Account', payout.account],
      ['Row', formatCount(payout.row)],
      ['Since', drawing.time(payout.since)],
      ['Fee', feeCell(payout)],
      ["The provider's id", payout.disbursementId && html`<span class="id">${payout.disbursementId}</span>`],
      ['Reference held by', payout.heldBy],
      ['Tried again as', retryCell(drawing, payout)],
      ['Transfer proof', proofCell(drawing, payout) ?? missingProofReason(payout, plan)],
    ]),
    whatToDo,
    against.length === 0 ? undefined : html`<h2>How the provider contradicts it</h2>${table(names, against, '')}`,
  );
};
