import type { Drawing } from './drawing.ts';
import type { Content } from './html.ts';
import { Html, html } from './html.ts';
import { style } from './style.ts';

/** What CloudWatch puts into a widget: the content in the console's own style, by the dashboard's theme. */
export const widget = (drawing: Drawing, ...content: readonly Content[]): Html =>
  html`<style>${new Html(style)}</style><div class="cwdb-no-default-styles po${drawing.isNarrow ? ' narrow' : ''} ${drawing.place.theme}">${content}</div>`;

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly isRight?: true;
  /** Says by itself what it is, where there is no head above it. */
  readonly isPlain?: true;
}

/** Rows that one table shows at most, whoever asks. */
export const mostRows = 200;

/**
 * A table; of no rows, the words that say so. Where there is no room, `cards` become one below the other, with the column's name
 * before each cell. A table of few columns stays one.
 */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  ofNone: string,
  kind: 'cards' | 'few' = 'cards',
): Html => {
  if (rows.length === 0) return html`<p class="muted">${ofNone}</p>`;
  const sided = ({ isRight }: Column): string => (isRight ? 'right' : '');
  const head = columns.map((column) => html`<th class="${sided(column)}">${column.name}</th>`);
  const cell = (column: Column, content: Content): Html => {
    if (content === undefined) return html`<td></td>`;
    const named = column.isPlain ? undefined : html` data-name="${column.name}"`;
    return html`<td class="${sided(column)}"${named}><div class="wide">${content}</div></td>`;
  };
  const body = rows
    .slice(0, mostRows)
    .map((cells) => html`<tr>${columns.map((column, index) => cell(column, cells[index]))}</tr>`);
  return html`<table class="${kind}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
};

/** Facts side by side, each below its name. What has no value is left out. */
export const facts = (told: readonly (readonly [name: string, value: Content])[]): Html =>
  html`<div class="facts">${told
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<div><span class="name">${name}</span><span>${value}</span></div>`)}</div>`;

/** A way out of the console. Any other kind of address is shown, and leads nowhere. */
export const outward = (url: string, words: string): Html =>
  url.startsWith('https://')
    ? html`<a class="out nowrap" href="${url}" target="_blank" rel="noopener noreferrer">${words}</a>`
    : html`<span>${url}</span>`;

/** Something that is told in place of a view. */
export const notice = (
  drawing: Drawing,
  tone: 'plain' | 'bad',
  title: string,
  text: Content,
  ...more: Content[]
): Html =>
  widget(drawing, html`<h1>${title}</h1><div class="note ${tone}">${text}</div>`, html`<p class="row">${more}</p>`);
