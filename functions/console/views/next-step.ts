import type { BatchView } from '../../api/schemas/batch.ts';
import { consoleCaller, tellApprover } from '../../domain/caller.ts';
import { tellAmount, tellCount } from '../../domain/money-text.ts';
import { tellCode } from '../../domain/status-text.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { fileName, plural } from '../words/say.ts';

/** Of every payment that the console asks for. */
export const approvedFirst = `${tellApprover(consoleCaller)} approves it before money moves.`;

/** How a batch was told to go about it, in sentences; empty when it was not. */
const care = ({ startAt, canary, pauseAbove }: BatchView): string =>
  [
    ...(startAt === undefined ? [] : [` It starts at ${startAt}.`]),
    ...(canary === undefined ? [] : [` ${tellCount(canary)} ${plural(canary, 'row is', 'rows are')} paid first.`]),
    ...(pauseAbove === undefined ? [] : [` It pauses above ${pauseAbove} % not paid.`]),
  ].join('');

const isChecked = ({ mode, status }: BatchView): boolean => mode === 'preview' && status === 'previewed';

/** What would be paid: of each currency how much, and to how many. */
const wouldBePaid = ({ currencies }: BatchView): string =>
  currencies
    .map(({ currency, planned: { count, amount } }) => {
      return `${tellCount(count)} ${plural(count, 'payout')} of ${tellAmount(amount, currency)} ${currency} in all`;
    })
    .join(', ');

/** What a person would be asked to approve, such as rows that may have been paid already. */
const warnings = ({ approval }: BatchView): string =>
  (approval?.findings ?? []).map(({ message }) => message).join(' ');

/** Of a preview that went through: what it found, and what comes next. */
export const checked = (batch: BatchView): Content => {
  const { skippedRows } = batch;
  if (!isChecked(batch)) return undefined;
  const rows =
    skippedRows === 0
      ? 'All rows are good'
      : `${tellCount(skippedRows)} ${plural(skippedRows, 'row')} would be left out`;
  const found = warnings(batch);
  const next = found === '' ? 'Ask for payment to go on.' : `Before you ask for payment: ${found}`;
  return html`<div class="note ${found === '' ? 'plain' : 'bad'}"><p><b>${rows}: ${wouldBePaid(batch)}.</b> Nothing is paid yet. ${next}</p></div>`;
};

/** Of a preview that went through: to have that very version paid, as it was checked. */
export const askForPayment = (drawing: Drawing, batch: BatchView): Content => {
  if (!isChecked(batch)) return undefined;
  const { file, corrects, startAt, canary, pauseAbove, invalidRows, skippedRows } = batch;
  const without =
    skippedRows === 0 ? '' : ` ${tellCount(skippedRows)} invalid ${plural(skippedRows, 'row')} will not be paid.`;
  return drawing.begins(
    'Ask for payment',
    {
      ...{ mode: 'disburse', file: file.key, versionId: file.versionId, invalidRows },
      ...(corrects === undefined ? {} : { corrects }),
      ...(startAt === undefined ? {} : { startAt }),
      ...(canary === undefined ? {} : { canary }),
      ...(pauseAbove === undefined ? {} : { pauseAbove }),
    },
    `Ask for payment of ${fileName(file.key)}, as it was checked: ${wouldBePaid(batch)}?${without}${care(batch)} ${warnings(batch)} ${approvedFirst}`,
    'main',
  );
};

/** Something to do with a file, and where that is done. */
const inFiles = (drawing: Drawing, text: Content): Html =>
  html`<div class="note plain"><p>${text}</p><div class="row">${drawing.opens('Files', { view: 'uploads' })}</div></div>`;

/** Of rows that are to be corrected: where they go once they are mended. */
export const mend = (drawing: Drawing, { status, files, correctedBy }: BatchView): Content => {
  if (status === 'validation_failed' && correctedBy !== undefined) return undefined;
  return status === 'validation_failed' || files.some((name) => name.startsWith('to-correct.'))
    ? inFiles(drawing, 'Upload the mended file, and check it again.')
    : undefined;
};

/** Of payouts that failed and may be tried again: how a clerk does that. */
export const payAgain = (drawing: Drawing, batch: BatchView): Content => {
  if (!batch.files.includes('retry.csv')) return undefined;
  const text =
    'Some payouts paid nobody. retry.csv has those that may be paid again, each under a new reference. Download it, mend what ' +
    'failed, upload it and have it checked. A row that was paid again already is refused then, so nobody is paid twice.';
  return inFiles(drawing, text);
};

/** Of a batch that is being checked: what comes of it, and how that is seen. */
export const underWay = (drawing: Drawing, { batchId, status }: BatchView): Content => {
  if (status !== 'accepted' && status !== 'validating') return undefined;
  const again = drawing.opens('Look again', { view: 'batch', batchId }, { look: 'main' });
  return html`<div class="note plain"><p>It is ${tellCode(status)}. What is found stands here when that is done.</p><div class="row">${again}</div></div>`;
};
