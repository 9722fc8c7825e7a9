import type { BatchSummary, BatchView } from '../../api/schemas/batch.ts';
import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { consoleCaller, describeApprover } from '../../domain/batch/caller.ts';
import { given } from '../../domain/given.ts';
import { formatCount, formatMoney, plural } from '../../domain/money/format-money.ts';
import { Money } from '../../domain/money/money.ts';
import { currencyFundingOfText } from '../../domain/money/money-records.ts';
import { retryableStatuses } from '../../domain/payout/retries.ts';
import { areAllPaidSince, paidSince } from '../../domain/payout/tried-again.ts';
import { isHeldElsewhere } from '../../domain/report/corrections.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { batchIdsIn, fileName } from '../words/labels.ts';
import { countIn } from './counts-and-money.ts';

/** The last sentence of every request for payment by the console. */
export const approvedFirst = `${describeApprover(consoleCaller)} approves it before money moves.`;

/** The result of a file's check, and the settings of its payment. */
export interface CheckedFile
  extends Pick<BatchSummary, 'corrects' | 'startAt' | 'canary' | 'pauseAbove' | 'invalidRows'> {
  readonly skippedRows: number;
  /** Planned payouts of each currency. */
  readonly planned: readonly { readonly count: number; readonly amount: Money }[];
  /** Findings that a person would have to approve, such as rows that may have been paid already. */
  readonly findings: readonly { readonly message: string }[];
}

const checkedFile = ({ currencies, approval, ...batch }: BatchView): CheckedFile => ({
  ...batch,
  planned: currencies.map(({ currency, planned: { count, amount } }) => ({
    count,
    amount: Money.of(amount, currency),
  })),
  findings: approval?.findings ?? [],
});

/** A batch's special settings, as sentences. Empty when it has none. */
const care = ({ startAt, canary, pauseAbove }: CheckedFile): string =>
  [
    ...(startAt === undefined ? [] : [` It starts at ${startAt}.`]),
    ...(canary === undefined ? [] : [` ${formatCount(canary)} ${plural(canary, 'row is', 'rows are')} paid first.`]),
    ...(pauseAbove === undefined ? [] : [` It pauses above ${pauseAbove} % not paid.`]),
  ].join('');

const isChecked = ({ mode, status }: BatchView): boolean => mode === 'preview' && status === 'previewed';

/** The planned payouts and money of each currency. */
const wouldBePaid = ({ planned }: CheckedFile): string =>
  planned
    .map(({ count, amount }) => `${formatCount(count)} ${plural(count, 'payout')} of ${formatMoney(amount)} in all`)
    .join(', ');

const warnings = ({ findings }: CheckedFile): string => findings.map(({ message }) => message).join(' ');

/** Missing money of each currency, as far as no conversion provides it. */
const missing = ({ currencies, conversions }: NonNullable<BatchView['funding']>): readonly string[] =>
  currencies
    .map(currencyFundingOfText)
    .filter(({ currency, shortfall }) => {
      return shortfall.isPositive() && !conversions.some(({ outputCurrency }) => outputCurrency === currency);
    })
    .map(({ shortfall, unclear }) => `${unclear.isPositive() ? 'up to ' : ''}${formatMoney(shortfall)}`);

/** Says whether the balance is enough, as far as it is known. */
const balanceText = (drawing: Drawing, { funding }: BatchView): Content => {
  if (funding === undefined) return 'The balance is checked when payment begins.';
  const { conversions, plannedAt } = funding;
  const short = missing(funding);
  if (short.length > 0)
    return html`The balance was short at ${drawing.time(plannedAt)}: ${short.join(' and ')} missing. Payment waits until that is topped up.`;
  const sources = [...new Set(conversions.map(({ inputCurrency }) => inputCurrency))];
  const converted = sources.length === 0 ? '' : `, with a conversion from ${sources.join(' and ')}`;
  return html`The balance was enough at ${drawing.time(plannedAt)}${converted}. It is checked again when payment begins.`;
};

/** The result of a preview that passed, and the next step. */
export const checked = (drawing: Drawing, batch: BatchView, askedIn: readonly string[]): Content => {
  const { skippedRows, funding } = batch;
  if (!isChecked(batch)) return undefined;
  const file = checkedFile(batch);
  const found = warnings(file);
  const good = found === '' ? 'All rows are good' : 'No row would be left out';
  const rows = skippedRows === 0 ? good : `${formatCount(skippedRows)} ${plural(skippedRows, 'row')} would be left out`;
  const isClear = found === '' && (funding === undefined || missing(funding).length === 0);
  const asked = askedIn.map((batchId) => drawing.opens(batchId, { view: 'batch', batchId }));
  const next =
    asked.length > 0
      ? html`<p>Payment of this file was asked for. It is here:</p><div class="row">${asked}</div>`
      : html`<p>Nothing is paid yet. ${found === '' ? 'Ask for payment to go on.' : 'Look at that before you ask for payment.'}</p>`;
  const sums = html`${rows}: ${wouldBePaid(file)}.`;
  // Findings come before the sums.
  const result = found === '' ? html`<p><b>${sums}</b>` : html`<p><b>${found}</b></p><p>${sums}`;
  return html`<div class="note ${isClear ? 'plain' : 'bad'}">${result} ${balanceText(drawing, batch)}</p>${next}</div>`;
};

/** A button that requests payment of a file version, with the settings of its check. */
export const payAsChecked = (
  drawing: Drawing,
  { key, versionId }: { readonly key: string; readonly versionId: string },
  called: string,
  checked: CheckedFile,
): Html => {
  const { corrects, startAt, canary, pauseAbove, invalidRows, skippedRows } = checked;
  const without = skippedRows === 0 ? '' : ` Bad rows are left out: ${formatCount(skippedRows)}.`;
  return drawing.begins(
    'Ask for payment',
    {
      ...{ mode: 'disburse', file: key, versionId, invalidRows },
      ...given({ corrects, startAt, canary, pauseAbove }),
    },
    `Ask for payment of ${called}, as it was checked: ${wouldBePaid(checked)}?${without}${care(checked)} ${warnings(checked)} ${approvedFirst}`,
    'main',
  );
};

/** A button that requests payment of exactly the version that a preview has passed. */
export const askForPayment = (drawing: Drawing, batch: BatchView, askedIn: readonly string[]): Content =>
  isChecked(batch) && askedIn.length === 0
    ? payAsChecked(drawing, batch.file, fileName(batch.file.key), checkedFile(batch))
    : undefined;

/** A task that is done in the Files view, with buttons to go there and to these batches. */
const inFiles = (drawing: Drawing, text: string, batchIds: readonly string[] = []): Html => {
  const shown = batchIds.map((batchId) => drawing.opens(batchId, { view: 'batch', batchId }));
  return html`<div class="note plain"><p>${text}</p><div class="row">${shown}${drawing.opens('Files', { view: 'uploads' })}</div></div>`;
};

/** Next step after correcting rows: where the corrected file goes. */
export const uploadCorrected = (drawing: Drawing, batch: BatchView): Content => {
  const { status, reason, files, attention } = batch;
  // The next step depends on the state of the batches that hold the file's payouts.
  if (isHeldElsewhere(batch))
    return inFiles(drawing, 'Look at what the reason names:', batchIdsIn(reason?.message ?? ''));
  // Other batches pay its whole file: corrections, or later starts of the same version.
  if (status === 'validation_failed' && !attention.some(({ code }) => code === 'file_refused')) return undefined;
  return status === 'validation_failed' || files.some((name) => name.startsWith('to-correct.'))
    ? inFiles(drawing, 'Upload the corrected file, and check it again.')
    : undefined;
};

/** The file of failed payouts that may be retried. */
export const retryFile = ({ files }: Pick<BatchView, 'files'>): string | undefined =>
  files.find((name) => name.startsWith('retry.'));

/** The retry file, until other batches have paid as many payouts as it may have. */
export const toRetry = (batch: Pick<BatchView, 'files' | 'triedAgain' | 'counts'>): string | undefined =>
  areAllPaidSince(countIn(batch, retryableStatuses), batch.triedAgain) ? undefined : retryFile(batch);

/** Links to batches, separated by commas. */
export const showBatches = (drawing: Drawing, batches: readonly { readonly batchId: string }[]): Html =>
  html`${batches.map(({ batchId }, index) => html`${index === 0 ? '' : ', '}${drawing.batch(batchId)}`)}`;

/** Explains how to retry failed payouts. */
export const payAgain = (drawing: Drawing, batch: BatchView): Content => {
  const retry = toRetry(batch);
  if (retry === undefined) return undefined;
  const paid = paidSince(batch.triedAgain);
  const some = paid === 0 ? '' : `${formatCount(paid)} of these ${plural(paid, 'is', 'are')} paid by a retry by now. `;
  const text =
    `Some payouts paid nobody. ${retry} has those that may be paid again, each under a new reference and with why it failed. ${some}` +
    'Download it, correct what failed, upload it and have it checked. The check refuses rows that were paid since, so nobody is paid twice.';
  return inFiles(drawing, text);
};

/** Shown while a batch is checked, for the first time or after its approval. Says what follows and how to see it. */
export const underWay = (drawing: Drawing, { batchId, status, approval }: BatchView): Content => {
  if (status !== 'accepted' && status !== 'validating') return undefined;
  const text =
    approval?.approved === undefined
      ? `It is ${describeCode(status)}. The result appears here when that is done.`
      : 'Approved. Balance and limits are being checked again.';
  const again = drawing.opens('Look again', { view: 'batch', batchId }, { look: 'main' });
  return html`<div class="note plain"><p>${text}</p><div class="row">${again}</div></div>`;
};
