import type { BatchSummary } from '../../api/schemas/batch.ts';
import type { InvalidRows } from '../../domain/batch/batch.ts';
import { isRejected } from '../../domain/batch/batch-status.ts';
import { formatCount, plural } from '../../domain/money/format-money.ts';
import type { Upload } from '../../ports/files.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Column } from '../markup/widget.ts';
import { outward, table, widget } from '../markup/widget.ts';
import { badge, formatBytes } from '../words/labels.ts';
import { toneOfBatch } from '../words/tones.ts';
import type { CheckedFile } from './next-step.ts';
import { approvedFirst, payAsChecked } from './next-step.ts';

export interface UploadToDraw extends Upload {
  /** Whether the API takes a file of this name. */
  readonly mayBegin: boolean;
  /** Of this very version, newest first. */
  readonly batches: readonly Pick<BatchSummary, 'batchId' | 'mode' | 'status' | 'reason'>[];
  /** The batch whose rows it corrects, by its name. */
  readonly corrects?: string;
  /** What its last check found, where that let it pass. */
  readonly checked?: CheckedFile;
}

export interface UploadsToDraw {
  /** The newest of those found. */
  readonly uploads: readonly UploadToDraw[];
  readonly found: number;
  /** Whether all that there are were looked through. */
  readonly isWhole: boolean;
  readonly startsWith: string;
  readonly invalidRows: InvalidRows;
  /** Where the S3 console takes a file. */
  readonly uploadPage: string;
}

/** Batches that a file tells of. */
const batchesShown = 3;

/** What it is called below `uploads/`. */
const nameOf = ({ key }: Upload): string => key.replace(/^uploads\//, '');

const known = (drawing: Drawing, { batches, corrects }: UploadToDraw): Content => {
  const lines = batches
    .slice(0, batchesShown)
    .map(
      ({ batchId, mode, status }) =>
        html`<div>${drawing.opens(mode === 'preview' ? 'Preview' : 'Payment', { view: 'batch', batchId }, { look: 'link' })} ${badge(status, toneOfBatch(status))}</div>`,
    );
  const corrected =
    corrects === undefined
      ? undefined
      : html`<div class="muted">corrects ${drawing.opens(corrects, { view: 'batch', batchId: corrects }, { look: 'link' })}</div>`;
  return lines.length === 0 && corrected === undefined ? undefined : [...lines, corrected];
};

/** A payment that has ended and left people unpaid, or all. */
const isUnpaidEnd = (status: BatchSummary['status']): boolean =>
  status === 'canceled' || status === 'failed' || status === 'validation_failed';

/** A refused file, and a rejected one, is paid by no batch; any other that was asked for holds this version. */
const isHeld = ({ batches }: UploadToDraw): boolean =>
  batches.some((batch) => batch.mode === 'disburse' && batch.status !== 'validation_failed' && !isRejected(batch));

/** Whether all payments of a held version ended early: it may be owed still. Paying it again takes a person who is known. */
const mayBeOwed = ({ batches }: UploadToDraw): boolean =>
  batches.every(({ mode, status }) => mode === 'preview' || isUnpaidEnd(status));

const buttons = (drawing: Drawing, upload: UploadToDraw): Content => {
  if (!upload.mayBegin) return html`<span class="muted">Rename it: its name has characters that nobody sees.</span>`;
  if (isHeld(upload))
    return mayBeOwed(upload)
      ? html`<span class="muted">See whom its payment has paid. An operator of the API decides whether it is paid again.</span>`
      : undefined;
  const { key: file, versionId, bytes, corrects, checked } = upload;
  const what = `${nameOf(upload)} (${formatBytes(bytes)})`;
  const correcting = corrects === undefined ? {} : { corrects };
  const pinned = { file, versionId, ...correcting };
  const check = drawing.begins(
    'Check',
    { mode: 'preview', ...pinned },
    `Check ${what}? Its rows are read, fees are estimated and the balance is looked at. No money moves.`,
    checked === undefined ? 'main' : 'plain',
  );
  if (checked !== undefined)
    return html`<div class="row">${check}${payAsChecked(drawing, upload, what, { ...checked, ...correcting })}</div>`;
  const pay = drawing.begins(
    'Ask for payment',
    { mode: 'disburse', ...pinned },
    `Ask for payment of ${what}? No check has let it pass yet. What becomes of bad rows is as you chose above the files. ${approvedFirst}`,
    'plain',
  );
  return html`<div class="row">${check}${pay}</div>`;
};

/** Which files are looked for, and what becomes of bad rows. The values come back with whatever is clicked. */
const bar = (drawing: Drawing, { startsWith, invalidRows }: UploadsToDraw): Html => {
  const choices = { reject: 'With a bad row, nobody is paid', skip: 'Bad rows are left out, the others paid' };
  const option = (value: InvalidRows): Html =>
    value === invalidRows
      ? html`<option value="${value}" selected="selected">${choices[value]}</option>`
      : html`<option value="${value}">${choices[value]}</option>`;
  return html`<div class="row bar"><input name="startsWith" aria-label="How the name begins" placeholder="How the name begins" value="${startsWith}">${drawing.opens(
    'Show',
    { view: 'uploads' },
  )}<select name="invalidRows" aria-label="Bad rows">${(['reject', 'skip'] as const).map(option)}</select></div>`;
};

const columns: readonly Column[] = [
  { name: 'File', isPlain: true },
  { name: 'Size', isRight: true },
  ...['Uploaded', 'Batches'].map((name) => ({ name })),
  { name: '', isPlain: true },
];

/** What is shown of what there is. */
const extent = ({ uploads, found, isWhole }: UploadsToDraw): string => {
  const newest = `The newest ${formatCount(uploads.length)} of ${formatCount(found)} ${plural(found, 'file')}`;
  return isWhole
    ? `${newest}.`
    : `${newest} that come first by name. There are more: say how the name begins. Newer ones may be among them.`;
};

/** Files that were uploaded, newest first: what is known of each, and what may be begun with it. */
export const drawUploads = (drawing: Drawing, toDraw: UploadsToDraw): Html => {
  const rows = toDraw.uploads.map((upload) => [
    html`<b>${nameOf(upload)}</b>`,
    formatBytes(upload.bytes),
    drawing.age(upload.uploadedAt),
    known(drawing, upload),
    buttons(drawing, upload),
  ]);
  return widget(
    drawing,
    html`<p class="row">${drawing.opens('← All batches', { view: 'batches' }, { look: 'link' })}${drawing.opens(
      'Refresh',
      { view: 'uploads' },
      { look: 'link' },
    )}</p>`,
    html`<div class="head"><div><h1>Files</h1><span class="muted">${extent(toDraw)}</span></div><div class="row">${drawing.opens(
      'How to write one',
      { view: 'columns' },
      { inPopup: true },
    )}${outward(toDraw.uploadPage, 'Upload a file ↗')}</div></div>`,
    bar(drawing, toDraw),
    table(columns, rows, 'There are no such files.'),
  );
};
