/** A number with its source text in the JSON. Kept apart from strings, so that `123` never passes for `"123"`. */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON without ever making a float: each number becomes a JsonNumber with its source text.
 *
 * @throws SyntaxError for invalid JSON; RangeError for JSON nested too deeply
 */
export const parseJsonBySource = (text: string): unknown =>
  JSON.parse(text, (_key, value, context) => {
    if (typeof value !== 'number') return value;
    if (context.source === undefined) throw new SyntaxError('a number without its source text');
    return new JsonNumber(context.source);
  });
