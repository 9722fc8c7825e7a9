import type { BatchView, CurrencyProgress } from '../../api/schemas/batch.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import { formatAmount, formatCount, formatMoney, plural } from '../../domain/money/format-money.ts';
import { Money } from '../../domain/money/money.ts';
import { talliesOfText } from '../../domain/money/money-records.ts';
import type { Tally } from '../../domain/money/tally.ts';
import { sumIn } from '../../domain/money/tally.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Tone } from '../words/tones.ts';
import { paidStatuses, toneOfPayout, unpaidStatuses } from '../words/tones.ts';

/** What these statuses add up to of one currency. */
export const sumOf = (
  { currency, statuses }: Pick<CurrencyProgress, 'currency' | 'statuses'>,
  which: readonly PayoutStatus[],
): Tally => sumIn(currency, talliesOfText(currency, statuses), which);

/** Statuses that the batch has payouts in, with how many, in the order of a payout's life. */
export const countsOf = ({ counts }: Pick<BatchView, 'counts'>): readonly (readonly [PayoutStatus, number])[] =>
  payoutStatuses.flatMap((status) => {
    const count = counts[status] ?? 0;
    return count === 0 ? [] : [[status, count] as const];
  });

/** How many of these are in such a status. */
export const countAll = (
  counts: readonly (readonly [PayoutStatus, number])[],
  which: readonly PayoutStatus[],
): number => counts.reduce((sum, [status, count]) => (which.includes(status) ? sum + count : sum), 0);

/** When an approval that is asked for runs out. */
export const approvalEnds = (
  drawing: Drawing,
  { status, approval }: Pick<BatchView, 'status' | 'approval'>,
): Html | undefined =>
  batchStatusIs(status, 'awaitsApproval') && approval?.expiresAt !== undefined
    ? drawing.time(approval.expiresAt)
    : undefined;

/** Tenths of a percent, so that one of a million is seen to be there; counts are no money. */
const share = (count: number, all: number): string => `${Math.max(0.5, Math.round((count / all) * 1000) / 10)}%`;

/** What is done stands before what is under way. */
const inBar: readonly Tone[] = ['good', 'bad', 'waits', 'active', 'quiet'];

/** How far a batch is: a bar by status, and in words. */
export const progress = (batch: Pick<BatchView, 'counts' | 'plan'> & Partial<Pick<BatchView, 'skippedRows'>>): Html => {
  const counts = countsOf(batch);
  const { skippedRows = 0 } = batch;
  const payouts = counts.reduce((sum, [, count]) => sum + count, 0);
  if (payouts === 0) {
    const { rows } = batch.plan ?? {};
    return html`<span class="muted">${rows === undefined ? 'not planned yet' : `${formatCount(rows)} ${plural(rows, 'row')}, nothing sent`}</span>`;
  }
  // The bar of a file with skipped rows is never full: nobody is paid for them.
  const all = payouts + skippedRows;
  const parts = counts
    .toSorted(([one], [other]) => inBar.indexOf(toneOfPayout(one)) - inBar.indexOf(toneOfPayout(other)))
    .map(([status, count]) => html`<span class="${toneOfPayout(status)}" style="width:${share(count, all)}"></span>`);
  const unpaid = countAll(counts, unpaidStatuses);
  const paid = countAll(counts, paidStatuses);
  const open = payouts - paid - unpaid;
  const words = [
    `${formatCount(paid)} of ${formatCount(all)} paid`,
    ...(unpaid > 0 ? [`${formatCount(unpaid)} not paid`] : []),
    ...(open > 0 ? [`${formatCount(open)} open`] : []),
    ...(skippedRows > 0 ? [`${formatCount(skippedRows)} skipped`] : []),
  ];
  return html`<div class="meter">${parts}</div><span>${words.join(' · ')}</span>`;
};

/** Money where its currency is named beside it. */
export const amountOf = (money: Money): Html => html`<span class="amount">${formatAmount(money)}</span>`;

/** Money with its currency, as one piece. */
export const moneyOf = (money: Money): Html => html`<span class="amount">${formatMoney(money)}</span>`;

/** What has been paid of each currency, and of how much. */
export const paidMoney = ({ currencies }: Pick<BatchView, 'currencies'>): Html =>
  html`${currencies.map((one) => {
    const paid = sumOf(one, paidStatuses).amount;
    const planned = Money.of(one.planned.amount, one.currency);
    return html`<div>${amountOf(paid)} <span class="muted">of ${moneyOf(planned)}</span></div>`;
  })}`;
