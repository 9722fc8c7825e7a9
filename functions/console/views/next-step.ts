import type { BatchView } from '../../api/schemas/batch.ts';
import { tellCount } from '../../domain/money-text.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { fileName, plural } from '../words/say.ts';

/** How a batch was told to go about it, in sentences; empty when it was not. */
const care = ({ startAt, canary, pauseAbove }: BatchView): string =>
  [
    ...(startAt === undefined ? [] : [` It starts at ${startAt}.`]),
    ...(canary === undefined ? [] : [` ${tellCount(canary)} ${plural(canary, 'row is', 'rows are')} paid first.`]),
    ...(pauseAbove === undefined ? [] : [` It pauses above ${pauseAbove} % not paid.`]),
  ].join('');

/** Of a preview that went through: to have that very version paid, as it was checked. */
export const askForPayment = (drawing: Drawing, batch: BatchView): Content => {
  if (batch.mode !== 'preview' || batch.status !== 'previewed') return undefined;
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
    `Ask for payment of ${fileName(file.key)}, as it was checked?${without}${care(batch)} Another person approves it before money moves.`,
    'main',
  );
};

/** Of rows that are to be corrected: where they go once they are mended. */
export const mend = (drawing: Drawing, { status, files }: BatchView): Content =>
  status === 'validation_failed' || files.some((name) => name.startsWith('to-correct.'))
    ? html`<div class="note plain"><p>Upload the mended file, and check it again.</p><div class="row">${drawing.opens(
        'Files',
        { view: 'uploads' },
      )}</div></div>`
    : undefined;
