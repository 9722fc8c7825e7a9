/** Text that is HTML already: what `html` made. Everything else is text, and is escaped when it is put into a page. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** What can stand in a page: text, pieces of HTML, or nothing. */
export type Content = string | Html | undefined | readonly Content[];

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** The text as it can stand between tags and in a quoted attribute. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities.get(letter) ?? letter);

const sourceOf = (content: Content): string => {
  if (content === undefined) return '';
  if (content instanceof Html) return content.source;
  return typeof content === 'string' ? escaped(content) : content.map(sourceOf).join('');
};

/**
 * A piece of HTML: what stands in the template is HTML, what is put into it is text and becomes escaped, unless it was
 * made by `html` itself. The only way from text to a page, so that nothing can be forgotten.
 */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(parts.map((part, index) => part + sourceOf(contents[index])).join(''));
