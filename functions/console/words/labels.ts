import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { plural } from '../../domain/money/format-money.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { Tone } from './tones.ts';

/** The line of a timeline in words: `batch.pending_approval` is `awaits approval`. */
export const eventInWords = (code: string): string => describeCode(code.replace(/^batch\./, ''));

/** A status, by its word and a color. Its code is shown to who hovers. */
export const badge = (status: string, tone: Tone): Html =>
  html`<span class="badge ${tone}" title="${status}">${describeCode(status)}</span>`;

/** Who did something, without the account: `user/clerk`. All of it is shown to who hovers. */
export const callerName = (caller: string): Html =>
  html`<span title="${caller}">${caller.startsWith('arn:') ? (caller.split(':').at(-1) ?? caller) : caller}</span>`;

/** The last part of a file's key: what its uploader called it. */
export const fileName = (key: string): string => key.split('/').at(-1) ?? key;

/** Ids of batches that a text names, each once. */
export const batchIdsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/(?<![0-9A-Za-z])b-[0-9a-z]{26}(?![0-9A-Za-z])/g)),
];

/** A size as file managers tell it: `1.2 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} ${plural(bytes, 'byte')}`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
