import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { plural } from '../../domain/money/format-money.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Tone } from './tones.ts';

/** A line of the timeline in words: `batch.pending_approval` is `awaits approval`. */
export const lineInWords = (code: string): string => describeCode(code.replace(/^batch\./, ''));

/** A status as a colored word. A tooltip shows its code. */
export const badge = (status: string, tone: Tone): Html =>
  html`<span class="badge ${tone}" title="${status}">${describeCode(status)}</span>`;

/** The short name of a caller, without the account: `user/clerk`. A tooltip shows the whole. */
export const callerName = (caller: string): Html =>
  html`<span title="${caller}">${caller.startsWith('arn:') ? (caller.split(':').at(-1) ?? caller) : caller}</span>`;

/** The last part of a file's key: the name that its uploader chose. */
export const fileName = (key: string): string => key.split('/').at(-1) ?? key;

/** The different batch ids in a text. */
export const batchIdsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/(?<![0-9A-Za-z])b-[0-9a-z]{26}(?![0-9A-Za-z])/g)),
];

/** A size as file managers show it: `1.2 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} ${plural(bytes, 'byte')}`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
