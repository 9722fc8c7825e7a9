import type { BatchView } from '../../api/schemas/batch.ts';
import type { BatchStatus } from '../../domain/batch/batch-status.ts';
import { batchStatuses, batchStatusIs, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { given } from '../../domain/given.ts';
import { formatCount, plural } from '../../domain/money/format-money.ts';
import { retryableStatuses } from '../../domain/payout/retries.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Column } from '../markup/widget.ts';
import { options, outward, table, widget } from '../markup/widget.ts';
import { badge, fileName } from '../words/labels.ts';
import { toneOfBatch } from '../words/tones.ts';
import { approvalEnds, countIn, paidMoney, progress } from './counts-and-money.ts';
import { retryFile, showBatches, toRetry } from './next-step.ts';
import { searchForm } from './search.ts';

interface BatchesToDraw {
  readonly batches: readonly BatchView[];
  /** Ids of previews whose file has a payment request. Problems of the file are shown with that payment. */
  readonly askedFor: ReadonlySet<string>;
  readonly status?: BatchStatus;
  readonly cursor?: string;
}

/** True when a person should look at a batch: it needs attention, or failed payouts may be retried. */
export const wantsLook = (batch: BatchView): boolean => batch.attention.length > 0 || toRetry(batch) !== undefined;

/** Number of failed payouts, when some may be retried, and the batches that retry them or have paid them. */
const notPaid = (drawing: Drawing, batch: BatchView): Content => {
  if (retryFile(batch) === undefined) return undefined;
  const failed = `not paid (${formatCount(countIn(batch, retryableStatuses))})`;
  const others = batch.triedAgain ?? [];
  if (toRetry(batch) === undefined) {
    const payers = others.filter(({ paid }) => paid > 0);
    return html` <span class="muted">${failed}, paid since by ${showBatches(drawing, payers)}</span>`;
  }
  const tried =
    others.length === 0 ? undefined : html` <span class="muted">tried again by ${showBatches(drawing, others)}</span>`;
  return html` <span class="badge waits">${failed}</span>${tried}`;
};

/** The most important task for a person, and the number of further ones. */
const wanted = (drawing: Drawing, batch: BatchView): Content => {
  const [first, ...others] = batch.attention;
  const unpaid = notPaid(drawing, batch);
  if (first === undefined) return unpaid;
  const count = first.count === undefined ? '' : ` (${formatCount(first.count)})`;
  const more = others.length === 0 ? undefined : html` <span class="muted">and ${others.length} more</span>`;
  const ends = approvalEnds(drawing, batch);
  const until = ends === undefined ? undefined : html` <span class="muted">until ${ends}</span>`;
  return html`<span class="badge waits" title="${first.message}">${describeCode(first.code)}${count}</span>${until}${more}${unpaid}`;
};

/** Shows what the status does not: a requested cancellation, or a future start. */
const besideStatus = (drawing: Drawing, { status, startAt, cancelRequestedAt }: BatchView): Content => {
  if (isBatchEnd(status)) return undefined;
  if (cancelRequestedAt !== undefined) return html` <span class="muted">canceling</span>`;
  return startAt !== undefined && batchStatusIs(status, 'awaitsStart') ? html` ${drawing.age(startAt)}` : undefined;
};

/** A link to the last execution of a batch. */
export const executionLink = ({ executions }: BatchView): Content => {
  const last = executions.at(-1);
  return last && outward(last.consoleUrl, 'Execution ↗');
};

/** A menu of statuses to filter the batches by. */
const chooseStatus = (drawing: Drawing, chosen: BatchStatus | undefined): Html => {
  const show = drawing.opens('Show', { view: 'batches' });
  return html`<div class="row"><select name="status" aria-label="Status of batches"><option value="">all batches</option>${options(batchStatuses, chosen, describeCode)}</select>${show}</div>`;
};

const columns: readonly Column[] = [
  { name: 'Batch', isPlain: true },
  ...['Status', 'Progress', 'Paid', 'Started', 'Needs a person'],
  { name: '', isPlain: true },
];

/** All batches, newest first: their state, and which of them need a person. */
export const drawBatches = (drawing: Drawing, { batches, askedFor, status, cursor }: BatchesToDraw): Html => {
  const rows = batches.map((batch) => [
    html`${drawing.batch(batch.batchId, fileName(batch.file.key))}<div class="id">${batch.batchId}</div>`,
    html`${badge(batch.status, toneOfBatch(batch.status))}${besideStatus(drawing, batch)}`,
    progress(batch),
    paidMoney(batch),
    drawing.age(batch.createdAt),
    askedFor.has(batch.batchId) ? undefined : wanted(drawing, batch),
    executionLink(batch),
  ]);
  const waiting = batches.filter((batch) => !askedFor.has(batch.batchId) && wantsLook(batch)).length;
  const some = `${waiting} of these ${batches.length} ${plural(waiting, 'wants', 'want')} a look.`;
  const summary = waiting === 0 ? 'None of these waits for a person.' : some;
  const heading = status === undefined ? 'Batches' : `Batches: ${describeCode(status)}`;
  const older = status === undefined ? 'Older batches' : 'Look further back';
  const more = cursor && drawing.opens(older, { view: 'batches', cursor, ...given({ status }) });
  return widget(
    drawing,
    html`<div class="head"><div class="row"><h1>${heading}</h1>${drawing.opens('Files', { view: 'uploads' })}</div><span class="muted">${summary}</span></div>`,
    searchForm(drawing, chooseStatus(drawing, status)),
    table(columns, rows, cursor === undefined ? 'There are no such batches.' : 'None on this page.'),
    html`<p class="row">${more}</p>`,
  );
};
