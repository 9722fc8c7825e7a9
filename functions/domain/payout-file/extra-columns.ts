import { hasHidden, isBroken, joinLines } from '../readable-text.ts';
import type { Extras, Problem } from './fields.ts';
import { noExtras, shownName } from './fields.ts';

/** The merchant's own columns, such as a department. They are copied to the reports. The provider never gets them. */
const extraPrefix = /^x-/i;

/** The most such columns that a file may have. */
export const mostExtraColumns = 10;
/** Limit in characters (code points) of a name, including `x-`, and of a value. */
export const extraLimit = 64;

const exceedsExtraLimit = (text: string): boolean =>
  text.length > extraLimit && (text.length > 2 * extraLimit || [...text].length > extraLimit);

/** The `x-` columns of one file, in the order and letter case of their first appearance. */
export class ExtraColumns {
  readonly #names = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  /** Registers the column that a header cell or a JSON key names. Undefined when it does not begin with `x-`. */
  named(written: string) {
    const name = written.trim();
    if (!extraPrefix.test(name)) return undefined;
    const known = this.#names.get(name.toLowerCase());
    if (known !== undefined) return { kind: 'extra', name: known } as const;
    if (name.length === 2 || exceedsExtraLimit(name) || isBroken(name) || hasHidden(name)) {
      const message = `"${shownName(name)}" is not a valid column name: write x- and readable text, at most ${extraLimit} characters in all.`;
      return { kind: 'refused', code: 'extra_column_malformed', message } as const;
    }
    if (this.#names.size === mostExtraColumns) {
      const message = `The file has more than ${mostExtraColumns} columns that begin with x-.`;
      return { kind: 'refused', code: 'extra_columns_too_many', message } as const;
    }
    this.#names.set(name.toLowerCase(), name);
    return { kind: 'extra', name } as const;
  }
}

const plainValue = new RegExp(`^[\\x20-\\x7e]{0,${extraLimit}}$`);

/** Checks the characters of a row's own columns. */
export const checkExtras = (extras: Extras, problem: Problem): void => {
  if (extras === noExtras) return;
  for (const [name, value] of Object.entries(extras)) {
    if (plainValue.test(value)) continue;
    const column = shownName(name);
    if (exceedsExtraLimit(value))
      problem(column, 'value_too_long', `"${column}" has more than ${extraLimit} characters.`);
    else if (isBroken(value))
      problem(column, 'invalid_utf8', `"${column}" has bytes that are not UTF-8. Save the file as UTF-8.`);
    else if (hasHidden(joinLines(value)))
      problem(column, 'control_character', `"${column}" has a control character or another invisible one.`);
  }
};

/** The values that are not empty, each on one line. Undefined when there are none. */
export const givenExtras = (extras: Extras): Extras | undefined => {
  if (extras === noExtras) return undefined;
  const given = Object.entries(extras).filter(([, value]) => value !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map(([name, value]) => [name, joinLines(value)]));
};
