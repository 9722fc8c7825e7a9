import type { BatchSummary } from '../../api/schemas/batch.ts';
import type { InvalidRows } from '../../domain/batch/batch.ts';
import { invalidRowsChoices } from '../../domain/batch/batch.ts';
import { isRejected } from '../../domain/batch/batch-status.ts';
import { given } from '../../domain/given.ts';
import { formatCount, plural } from '../../domain/money/format-money.ts';
import type { Upload } from '../../ports/files.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Column } from '../markup/widget.ts';
import { linksAbove, options, outward, table, widget } from '../markup/widget.ts';
import { badge, formatBytes } from '../words/labels.ts';
import { toneOfBatch } from '../words/tones.ts';
import type { CheckedFile } from './next-step.ts';
import { approvedFirst, payAsChecked } from './next-step.ts';

export interface UploadToDraw extends Upload {
  /** True when the API accepts a file of this name. */
  readonly mayBegin: boolean;
  /** Batches of exactly this version, newest first. */
  readonly batches: readonly Pick<BatchSummary, 'batchId' | 'mode' | 'status' | 'reason'>[];
  /** The batch whose rows it corrects, found in its name. */
  readonly corrects?: string;
  /** The result of its last check, if it passed. */
  readonly checked?: CheckedFile;
}

export interface UploadsToDraw {
  /** The newest files found. */
  readonly uploads: readonly UploadToDraw[];
  readonly found: number;
  /** True when all existing files were searched. */
  readonly isWhole: boolean;
  readonly startsWith: string;
  readonly invalidRows: InvalidRows;
  /** URL of the S3 console's upload page. */
  readonly uploadPage: string;
}

/** Batches shown for each file. */
const batchesShown = 3;

/** The file's name below `uploads/`. */
const nameOf = ({ key }: Upload): string => key.replace(/^uploads\//, '');

const known = (drawing: Drawing, { batches, corrects }: UploadToDraw): Content => {
  const lines = batches
    .slice(0, batchesShown)
    .map(
      ({ batchId, mode, status }) =>
        html`<div>${drawing.batch(batchId, mode === 'preview' ? 'Preview' : 'Payment')} ${badge(status, toneOfBatch(status))}</div>`,
    );
  const corrected = corrects && html`<div class="muted">corrects ${drawing.batch(corrects)}</div>`;
  return lines.length === 0 && corrected === undefined ? undefined : [...lines, corrected];
};

/** True when a payment was canceled, refused, or paid nobody. After `partially_completed` a retry file has what failed. */
const isUnpaidEnd = (status: BatchSummary['status']): boolean =>
  status === 'canceled' || status === 'failed' || status === 'validation_failed';

/** True when a payment batch holds this version. A refused or rejected batch pays nothing and holds nothing. */
const isHeld = ({ batches }: UploadToDraw): boolean =>
  batches.some((batch) => batch.mode === 'disburse' && batch.status !== 'validation_failed' && !isRejected(batch));

/**
 * True when all payments of a held version ended early, so that it may still be owed. Paying it again needs an
 * identified person.
 */
const mayBeOwed = ({ batches }: UploadToDraw): boolean =>
  batches.every(({ mode, status }) => mode === 'preview' || isUnpaidEnd(status));

const buttons = (drawing: Drawing, upload: UploadToDraw): Content => {
  if (!upload.mayBegin) return html`<span class="muted">Rename it: its name has invisible characters.</span>`;
  if (isHeld(upload))
    return (
      mayBeOwed(upload) &&
      html`<span class="muted">Look at its payment to see who was paid. An operator of the API decides whether it is paid again.</span>`
    );
  const { key: file, versionId, bytes, corrects, checked } = upload;
  const what = `${nameOf(upload)} (${formatBytes(bytes)})`;
  const correcting = given({ corrects });
  const pinned = { file, versionId, ...correcting };
  const toCheck = `Check ${what}? Its rows are read, fees are estimated and the balance is checked. No money moves.`;
  const look = checked === undefined ? 'main' : 'plain';
  const check = drawing.begins('Check', { mode: 'preview', ...pinned }, toCheck, look);
  if (checked !== undefined)
    return html`<div class="row">${check}${payAsChecked(drawing, upload, what, { ...checked, ...correcting })}</div>`;
  const toPay = `Ask for payment of ${what}? No check has let it pass yet. Bad rows are handled as chosen above the files. ${approvedFirst}`;
  const pay = drawing.begins('Ask for payment', { mode: 'disburse', ...pinned }, toPay, 'plain');
  return html`<div class="row">${check}${pay}</div>`;
};

/** Search field for files, and the choice for invalid rows. Each click sends their values. */
const bar = (drawing: Drawing, { startsWith, invalidRows }: UploadsToDraw): Html => {
  const choices = { reject: 'With a bad row, nobody is paid', skip: 'Bad rows are left out, the others paid' };
  const show = drawing.opens('Show', { view: 'uploads' });
  return html`<div class="row bar"><input name="startsWith" aria-label="How the name begins" placeholder="How the name begins" value="${startsWith}">${show}<select name="invalidRows" aria-label="Bad rows">${options(invalidRowsChoices, invalidRows, (value) => choices[value])}</select></div>`;
};

const columns: readonly Column[] = [
  { name: 'File', isPlain: true },
  { name: 'Size', isRight: true },
  ...['Uploaded', 'Batches'],
  { name: '', isPlain: true },
];

/** Says how many of the files are shown. */
const extent = ({ uploads, found, isWhole }: UploadsToDraw): string => {
  const newest = `The newest ${formatCount(uploads.length)} of ${formatCount(found)} ${plural(found, 'file')}`;
  return isWhole
    ? `${newest}.`
    : `${newest} that come first by name. There are more: enter how the name begins. Newer ones may be among them.`;
};

/** Uploaded files, newest first: the batches of each, and the buttons to begin one. */
export const drawUploads = (drawing: Drawing, toDraw: UploadsToDraw): Html => {
  const rows = toDraw.uploads.map((upload) => [
    html`<b>${nameOf(upload)}</b>`,
    formatBytes(upload.bytes),
    drawing.age(upload.uploadedAt),
    known(drawing, upload),
    buttons(drawing, upload),
  ]);
  const howTo = drawing.opens('How to write one', { view: 'columns' }, { inPopup: true });
  return widget(
    drawing,
    linksAbove(drawing, { view: 'uploads' }),
    html`<div class="head"><div><h1>Files</h1><span class="muted">${extent(toDraw)}</span></div><div class="row">${howTo}${outward(toDraw.uploadPage, 'Upload a file ↗')}</div></div>`,
    bar(drawing, toDraw),
    table(columns, rows, 'There are no such files.'),
  );
};
