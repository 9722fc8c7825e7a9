/** A piece of markup that `html` made. Whatever else comes into a widget is text. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** What a widget is put together from. */
export type Content = string | number | Html | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Control characters, and those that turn the direction of text around: with them a reference could look like another. */
const deceiving = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, ' ')
    .replace(deceiving, '\ufffd')
    .replace(/[&<>"'`]/g, (letter) => entities[letter] ?? '');

const sourceOf = (content: Content): string => {
  if (content === undefined) return '';
  if (content instanceof Html) return content.source;
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escaped(content) : content.map(sourceOf).join('');
};

/**
 * The only way into a widget: what the template says is markup, and what is put into it is text, which cannot become any. Its
 * places are between tags and inside quoted attributes.
 */
export const html = (markup: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(markup.map((part, index) => part + sourceOf(contents[index])).join(''));
