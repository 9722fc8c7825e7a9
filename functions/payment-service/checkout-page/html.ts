/** HTML source, made by `html`. All other text is escaped when it is put into a page. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Content for a page: text, pieces of HTML, or nothing. */
export type Content = string | Html | undefined | readonly Content[];

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Escaped for use between tags and in quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities.get(letter) ?? letter);

const sourceOf = (content: Content): string => {
  if (content === undefined) return '';
  if (content instanceof Html) return content.source;
  return typeof content === 'string' ? escaped(content) : content.map(sourceOf).join('');
};

/**
 * A piece of HTML. The template is HTML. Its contents are text and are escaped, unless `html` made them. This is the
 * only way to put text into a page, so escaping cannot be forgotten.
 */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(parts.map((part, index) => part + sourceOf(contents[index])).join(''));
