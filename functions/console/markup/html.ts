/** Markup made by `html`. Everything else in a widget is text. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Anything that can be put into a widget. Undefined and false show nothing. */
export type Content = string | number | Html | undefined | false | readonly Content[];

export const isNothing = (content: Content): content is undefined | false => content === undefined || content === false;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * Control characters, and characters that reverse the direction of text. They could make one reference look like
 * another.
 */
const deceiving = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, ' ')
    .replace(deceiving, '\ufffd')
    .replace(/[&<>"'`]/g, (letter) => entities[letter] ?? '');

const sourceOf = (content: Content): string => {
  if (isNothing(content)) return '';
  if (content instanceof Html) return content.source;
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escaped(content) : content.map(sourceOf).join('');
};

/**
 * The only way to make markup: the template is markup, and inserted values are text that cannot become markup. Values
 * may be inserted between tags and inside quoted attributes.
 */
export const html = (markup: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(markup.map((part, index) => part + sourceOf(contents[index])).join(''));
