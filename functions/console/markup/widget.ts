import type { ConsoleParams } from '../request.ts';
import type { Drawing } from './drawing.ts';
import type { Content } from './html.ts';
import { Html, html, isNothing } from './html.ts';
import { style } from './style.ts';

/** The HTML of a widget: content in the console's own style, in the dashboard's theme. */
export const widget = (drawing: Drawing, ...content: readonly Content[]): Html =>
  html`<style>${new Html(style)}</style><div class="cwdb-no-default-styles po${drawing.isNarrow ? ' narrow' : ''} ${drawing.place.theme}">${content}</div>`;

/** Links above a view: to all batches, and to the view as it is now. */
export const linksAbove = (drawing: Drawing, view?: ConsoleParams): Html => {
  const refresh = view && drawing.opens('Refresh', view, { look: 'link' });
  return html`<p class="row">${drawing.opens('← All batches', { view: 'batches' }, { look: 'link' })}${refresh}</p>`;
};

interface DescribedColumn {
  readonly name: string;
  readonly isRight?: true;
  /** Needs no column name beside its value in cards. */
  readonly isPlain?: true;
}

/** A column of a table, or just its name. */
export type Column = string | DescribedColumn;

/** The most rows that one table shows. */
export const mostRows = 200;

/**
 * A table, or the text `ofNone` when there are no rows. On narrow screens `cards` become a list of cards with the
 * column's name before each cell. `few` stays a table, because it has few columns.
 */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  ofNone: string,
  kind: 'cards' | 'few' = 'cards',
): Html => {
  if (rows.length === 0) return html`<p class="muted">${ofNone}</p>`;
  const described = columns.map((column): DescribedColumn => (typeof column === 'string' ? { name: column } : column));
  const sided = ({ isRight }: DescribedColumn): string => (isRight ? 'right' : '');
  const head = described.map((column) => html`<th class="${sided(column)}">${column.name}</th>`);
  const cell = (column: DescribedColumn, content: Content): Html => {
    if (isNothing(content)) return html`<td></td>`;
    const named = column.isPlain ? undefined : html` data-name="${column.name}"`;
    return html`<td class="${sided(column)}"${named}><div class="wide">${content}</div></td>`;
  };
  const body = rows
    .slice(0, mostRows)
    .map((cells) => html`<tr>${described.map((column, index) => cell(column, cells[index]))}</tr>`);
  return html`<table class="${kind}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
};

/** The options of a menu. */
export const options = <Value extends string>(
  values: readonly Value[],
  chosen: Value | undefined,
  textOf: (value: Value) => string,
): readonly Html[] =>
  values.map((value) => {
    const selected = value === chosen && html` selected="selected"`;
    return html`<option value="${value}"${selected}>${textOf(value)}</option>`;
  });

/** Facts side by side, each below its name. Facts without a value are left out. */
export const facts = (named: readonly (readonly [name: string, value: Content])[]): Html =>
  html`<div class="facts">${named
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => html`<div><span class="name">${name}</span><span>${value}</span></div>`)}</div>`;

/** A link out of the console. Only https addresses become links. Others are shown as text. */
export const outward = (url: string, words: string): Html =>
  url.startsWith('https://')
    ? html`<a class="out nowrap" href="${url}" target="_blank" rel="noopener noreferrer">${words}</a>`
    : html`<span>${url}</span>`;

/** A message in place of a view. */
export const notice = (
  drawing: Drawing,
  tone: 'plain' | 'bad',
  title: string,
  text: Content,
  ...more: Content[]
): Html =>
  widget(drawing, html`<h1>${title}</h1><div class="note ${tone}">${text}</div>`, html`<p class="row">${more}</p>`);
