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
import { paidStatuses, toneOfPayout, tones, unpaidStatuses } from '../words/tones.ts';

/** Count and sum of one currency's payouts in these statuses. */
export const sumOf = (
  { currency, statuses }: Pick<CurrencyProgress, 'currency' | 'statuses'>,
  which: readonly PayoutStatus[],
): Tally => sumIn(currency, talliesOfText(currency, statuses), which);

/** Statuses of the batch's payouts with their counts, in the order of a payout's life. */
export const countsOf = ({ counts }: Pick<BatchView, 'counts'>): readonly (readonly [PayoutStatus, number])[] =>
  payoutStatuses.flatMap((status) => {
    const count = counts[status] ?? 0;
    return count === 0 ? [] : [[status, count] as const];
  });

/** Number of the batch's payouts in one of these statuses. */
export const countIn = ({ counts }: Pick<BatchView, 'counts'>, which: readonly PayoutStatus[]): number =>
  which.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

/** When the requested approval expires. Undefined when none is awaited. */
export const approvalEnds = (
  drawing: Drawing,
  { status, approval }: Pick<BatchView, 'status' | 'approval'>,
): Html | undefined =>
  batchStatusIs(status, 'awaitsApproval') && approval?.expiresAt !== undefined
    ? drawing.time(approval.expiresAt)
    : undefined;

/**
 * Width in percent, to one decimal. At least 0.5 %, so that one payout of a million is visible. Counts are not money,
 * so floats are safe.
 */
const share = (count: number, all: number): string => `${Math.max(0.5, Math.round((count / all) * 1000) / 10)}%`;

/** A batch's progress: a bar by status, and in words. */
export const progress = (batch: Pick<BatchView, 'counts' | 'plan'> & Partial<Pick<BatchView, 'skippedRows'>>): Html => {
  const { skippedRows = 0 } = batch;
  const payouts = countIn(batch, payoutStatuses);
  if (payouts === 0) {
    const { rows } = batch.plan ?? {};
    return html`<span class="muted">${rows === undefined ? 'not planned yet' : `${formatCount(rows)} ${plural(rows, 'row')}, nothing sent`}</span>`;
  }
  // With skipped rows the bar never fills, because nobody is paid for them.
  const all = payouts + skippedRows;
  const parts = countsOf(batch)
    .toSorted(([one], [other]) => tones.indexOf(toneOfPayout(one)) - tones.indexOf(toneOfPayout(other)))
    .map(([status, count]) => html`<span class="${toneOfPayout(status)}" style="width:${share(count, all)}"></span>`);
  const unpaid = countIn(batch, unpaidStatuses);
  const paid = countIn(batch, paidStatuses);
  const open = payouts - paid - unpaid;
  const words = [
    `${formatCount(paid)} of ${formatCount(all)} paid`,
    ...(unpaid > 0 ? [`${formatCount(unpaid)} not paid`] : []),
    ...(open > 0 ? [`${formatCount(open)} open`] : []),
    ...(skippedRows > 0 ? [`${formatCount(skippedRows)} skipped`] : []),
  ];
  return html`<div class="meter">${parts}</div><span>${words.join(' · ')}</span>`;
};

/** An amount, where its currency is shown beside it. */
export const amountOf = (money: Money): Html => html`<span class="amount">${formatAmount(money)}</span>`;

/** An amount with its currency, kept on one line. */
export const moneyOf = (money: Money): Html => html`<span class="amount">${formatMoney(money)}</span>`;

/** Paid and planned money of each currency. */
export const paidMoney = ({ currencies }: Pick<BatchView, 'currencies'>): Html =>
  html`${currencies.map((one) => {
    const paid = sumOf(one, paidStatuses).amount;
    const planned = Money.of(one.planned.amount, one.currency);
    return html`<div>${amountOf(paid)} <span class="muted">of ${moneyOf(planned)}</span></div>`;
  })}`;
