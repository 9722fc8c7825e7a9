import type { BatchView } from '../../api/schemas/batch.ts';
import { cancelBatch, pauseBatch } from '../../api/schemas/operations/batch-operations.ts';
import type { PayoutView } from '../../api/schemas/payout.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { formatCount, plural } from '../../domain/money/format-money.ts';
import { Money } from '../../domain/money/money.ts';
import { payoutStatusesBeforeAnEnd } from '../../domain/payout/payout-status.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { facts, linksAbove, table, widget } from '../markup/widget.ts';
import { steeringActions } from '../request.ts';
import { badge, callerName, fileName, lineInWords } from '../words/labels.ts';
import { paidStatuses, toneOfBatch, toneOfPayout, unpaidStatuses } from '../words/tones.ts';
import { actionButtons } from './action-buttons.ts';
import { executionLink } from './batches.ts';
import { drawConversions } from './conversions.ts';
import { amountOf, approvalEnds, countsOf, progress, sumOf } from './counts-and-money.ts';
import { askForPayment, checked, payAgain, underWay, uploadCorrected } from './next-step.ts';
import { reasonCell } from './payout-cells.ts';

export interface BatchToDraw {
  readonly batch: BatchView;
  /** The first payouts of each failed or waiting status. */
  readonly unpaid: readonly PayoutView[];
  /** True when there are more of them. */
  readonly hasMoreUnpaid: boolean;
  /** Batches that request payment of this file version. */
  readonly askedIn: readonly string[];
  /** True when shown beside another view, which stays open. It then needs no link back. */
  readonly isAside?: boolean;
}

const operations = { pause: pauseBatch, cancel: cancelBatch } as const;

/** Buttons for the actions that a dashboard may take now. The others need an identified person. */
const steer = (drawing: Drawing, { batchId, file, actions }: BatchView): readonly Html[] =>
  steeringActions
    .filter((action) => actions.includes(action))
    .map((action) =>
      drawing.steers(
        action === 'pause' ? 'Pause' : 'Cancel',
        { action, batchId, console: drawing.place.console },
        `${operations[action].summary}: ${fileName(file.key)}, ${batchId}? ${operations[action].description}`,
        action === 'pause' ? 'plain' : 'danger',
      ),
    );

const head = (drawing: Drawing, { batch, askedIn }: BatchToDraw): Html => {
  // An attention message usually contains the reason already.
  const isShown = batch.attention.some(({ message }) => message.includes(batch.reason?.message ?? ''));
  const reason = batch.reason === undefined || isShown ? undefined : html`<p>${batch.reason.message}</p>`;
  const canceling =
    batch.cancelRequestedAt !== undefined &&
    batch.status !== 'canceled' &&
    html`<p>Its cancellation was requested ${drawing.age(batch.cancelRequestedAt)}.</p>`;
  const status = badge(batch.status, toneOfBatch(batch.status));
  return html`<div class="head"><div><div class="row"><h1>${fileName(batch.file.key)}</h1>${status}</div><div class="id">${batch.batchId}</div></div><div class="row">${askForPayment(drawing, batch, askedIn)}${steer(drawing, batch)}</div></div>${reason}${canceling}`;
};

/** The hash that the approve call needs, whole so that it can be copied. */
const hashToApprove = ({ status, approval }: BatchView): Content =>
  batchStatusIs(status, 'awaitsApproval') && approval !== undefined ? html`<code>${approval.hash}</code>` : undefined;

/** Batches that retry this batch's payouts, each with its state. */
const showTriedAgain = (drawing: Drawing, { triedAgain }: BatchView): Content =>
  triedAgain?.map(
    ({ batchId, status, payouts, paid }) =>
      html`<div>${drawing.batch(batchId)} <span class="muted">${formatCount(paid)} of ${formatCount(payouts)} paid</span> ${badge(status, toneOfBatch(status))}</div>`,
  );

const summary = (drawing: Drawing, batch: BatchView): Html =>
  facts([
    ['Progress', progress(batch)],
    ['Status since', drawing.age(batch.since)],
    ['Started', html`${drawing.age(batch.createdAt)} by ${callerName(batch.createdBy)}`],
    ['Hash to approve', hashToApprove(batch)],
    ['Approval expires', approvalEnds(drawing, batch)],
    ['Starts', batch.startAt === undefined ? undefined : drawing.time(batch.startAt)],
    ['Paid first', batch.canary !== undefined && `${formatCount(batch.canary)} ${plural(batch.canary, 'row')}`],
    ['Pauses above', batch.pauseAbove === undefined ? undefined : `${batch.pauseAbove} % not paid`],
    ['Corrects', batch.corrects === undefined ? undefined : drawing.batch(batch.corrects)],
    ['Corrected by', batch.correctedBy?.map((batchId) => html`<div>${drawing.batch(batchId)}</div>`)],
    ['Tried again by', showTriedAgain(drawing, batch)],
    ['Rows', batch.plan === undefined ? undefined : formatCount(batch.plan.rows)],
    ['Skipped as invalid', batch.skippedRows === 0 ? undefined : formatCount(batch.skippedRows)],
    [
      'Transfer proofs',
      batch.proofs.expected === 0
        ? batch.proofs.note
        : `${formatCount(batch.proofs.archived)} of ${formatCount(batch.proofs.expected)}`,
    ],
    ['Workflow', executionLink(batch)],
    ['Counts as of', drawing.time(batch.countsAsOf)],
  ]);

/** Files are shown once, among the downloads. */
const isNoFile = (request: string): boolean => !request.includes('/files/');

const attention = (drawing: Drawing, batch: BatchView): Content => {
  const again = payAgain(drawing, batch);
  if (batch.attention.length === 0) return again ?? html`<p class="muted">Nothing waits for a person.</p>`;
  const notes = batch.attention.map(({ code, message, count, since, requests }) => {
    const much = count === undefined ? undefined : html` · ${formatCount(count)}`;
    const long = since === undefined ? undefined : html` · since ${drawing.time(since)}`;
    return html`<div class="note"><b>${describeCode(code)}</b><span class="muted">${much}${long}</span><p>${message}</p>${actionButtons(drawing, requests.filter(isNoFile))}</div>`;
  });
  return [...notes, again];
};

const findings = ({ approval }: BatchView): Content =>
  approval === undefined || approval.approved !== undefined || approval.findings.length === 0
    ? undefined
    : html`<h2>To be approved</h2>${approval.findings.map(
        ({ message, against }) => html`<div class="note"><p>${message}</p><span class="muted">${against}</span></div>`,
      )}`;

const moneyTable = ({ currencies }: BatchView): Html => {
  const names = ['Currency', 'Planned', 'Paid', 'Not paid', 'Open', 'Fees', 'Estimated'];
  const columns = names.map((name, index) => (index === 0 ? name : { name, isRight: true as const }));
  const cell = (one: BatchView['currencies'][number], which: typeof paidStatuses): Content => {
    const { count, amount } = sumOf(one, which);
    return count === 0
      ? html`<span class="muted">none</span>`
      : html`${amountOf(amount)} <span class="muted">(${formatCount(count)})</span>`;
  };
  const rows = currencies.map((one) => {
    const { currency, planned, feeActual, feeEstimated, feeBeyondEstimate } = one;
    return [
      html`<b>${currency}</b>`,
      html`${amountOf(Money.of(planned.amount, currency))} <span class="muted">(${formatCount(planned.count)})</span>`,
      cell(one, paidStatuses),
      cell(one, unpaidStatuses),
      cell(one, payoutStatusesBeforeAnEnd),
      html`${amountOf(Money.of(feeActual, currency))}${feeBeyondEstimate && html` ${badge('beyond estimate', 'waits')}`}`,
      amountOf(Money.of(feeEstimated, currency)),
    ];
  });
  return table(columns, rows, 'Nothing is planned yet.');
};

const byStatus = (drawing: Drawing, batch: BatchView): Html => {
  const rows = countsOf(batch).map(([status, count]) => [
    badge(status, toneOfPayout(status)),
    formatCount(count),
    drawing.opens('Show', { view: 'payouts', batchId: batch.batchId, status }, { look: 'link' }),
  ]);
  return table(['Status', { name: 'Payouts', isRight: true }, ''], rows, 'There are none yet.', 'few');
};

const reasons = ({ unpaid, hasMoreUnpaid }: BatchToDraw): Content => {
  if (unpaid.length === 0) return html`<p class="muted">None failed, and none is waiting.</p>`;
  const groups = Map.groupBy(unpaid, ({ status, reason }) => JSON.stringify([status, reason]));
  const rows = [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const status = badge(first.status, toneOfPayout(first.status));
      return [[status, reasonCell(first) ?? 'No reason is recorded.', formatCount(1 + others.length)]];
    });
  const note = hasMoreUnpaid ? html`<p class="muted">Counted among the first ones only.</p>` : undefined;
  return html`${table(['Status', 'Why', { name: 'Payouts', isRight: true }], rows, '', 'few')}${note}`;
};

/** The most errors of the file that a widget shows. errors.csv has all. */
const mostErrors = 20;

const errorColumns = ['Line', 'Reference', 'Column', 'What is wrong'];

const fileErrors = ({ plan }: BatchView): Content => {
  if (plan === undefined || plan.errors.length === 0) return undefined;
  const rows = plan.errors
    .slice(0, mostErrors)
    .map(({ row, line, reference, column, message }) => [
      line === undefined ? (row === 0 ? 'the file' : `row ${formatCount(row)}`) : formatCount(line),
      reference,
      column,
      message,
    ]);
  const more =
    plan.errors.length > mostErrors &&
    html`<p class="muted">The first ${mostErrors} errors; errors.csv has all, of ${formatCount(plan.invalidRows)} rows.</p>`;
  return html`<h2>Errors of the file</h2>${table(errorColumns, rows, '')}${more}`;
};

const downloads = (drawing: Drawing, { batchId, files, reports, proofs }: BatchView): Html => {
  if (files.length === 0 && proofs.request === undefined) return html`<p class="muted">There are no files yet.</p>`;
  const interim =
    reports?.interim &&
    html`<p class="muted">Interim, with ${formatCount(reports.openRows)} ${plural(reports.openRows, 'row')} open: written ${drawing.age(reports.writtenAt)}.</p>`;
  const all = proofs.request && drawing.opens('All proofs', { view: 'proofs', batchId }, { inPopup: true });
  return html`<div class="row">${files.map((name) => drawing.opens(name, { view: 'file', batchId, name }, { inPopup: true }))}${all}</div>${interim}`;
};

/** Shortens a hash to its first digits. */
const shortened = (detail: string): string => detail.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{20,}\b/g, '$1…');

const timeline = (drawing: Drawing, { batchId, timeline: lines, cursor }: BatchView): Html => {
  const rows = lines
    .toReversed()
    .map(({ at, code, by, detail, note }) => [
      drawing.time(at),
      html`<span title="${code}">${lineInWords(code)}</span>`,
      callerName(by),
      detail === undefined && note === undefined
        ? undefined
        : html`${detail === undefined ? undefined : html`<span class="id" title="${detail}">${shortened(detail)}</span> `}${note}`,
    ]);
  const older = cursor === undefined ? undefined : drawing.opens('Older lines', { view: 'batch', batchId, cursor });
  return html`${table(['When', 'What', 'By', 'About it'], rows, 'Nothing has happened yet.')}<p class="row">${older}</p>`;
};

/** One batch: its state, tasks for people, its money, its history and its downloads. */
export const drawBatch = (drawing: Drawing, toDraw: BatchToDraw): Html => {
  const { batch, askedIn, isAside } = toDraw;
  return widget(
    drawing,
    !isAside && linksAbove(drawing, { view: 'batch', batchId: batch.batchId }),
    head(drawing, toDraw),
    underWay(drawing, batch),
    checked(drawing, batch, askedIn),
    summary(drawing, batch),
    html`<h2>Needs a person</h2>`,
    attention(drawing, batch),
    findings(batch),
    html`<h2>Downloads</h2>`,
    downloads(drawing, batch),
    uploadCorrected(drawing, batch),
    fileErrors(batch),
    html`<h2>Money</h2>`,
    moneyTable(batch),
    countsOf(batch).length > 0 &&
      html`<div class="columns"><div><h2>Payouts</h2>${byStatus(drawing, batch)}</div><div><h2>Why some are not paid</h2>${reasons(toDraw)}</div></div>`,
    drawConversions(drawing, batch),
    html`<h2>Timeline</h2>`,
    timeline(drawing, batch),
  );
};
