import { StringDecoder } from 'node:string_decoder';
import { jsonParser } from 'stream-json/core/parser.js';
import { InvariantBroken } from '../errors.ts';
import type { FileRow } from './fields.ts';
import { refuseFile } from './file-refused.ts';
import type { JsonValue } from './json-row.ts';
import { jsonRow } from './json-row.ts';

/** Text of one key or value beyond which the rest is dropped: the row is too long by any limit then. */
const maxTextKept = 4_096;

/** Objects and arrays inside one another; a payout has none. */
const maxDepth = 32;

type Token = { readonly name: string; readonly value?: unknown };

const notObjects = (row: number) =>
  jsonRow(
    row,
    [],
    [{ row, column: '', code: 'json_not_objects', message: 'This item of the array is not a JSON object.' }],
  );

/** Puts rows together from the tokens of an array of flat objects. */
const rowAssembler = () => {
  let row = 0;
  let depth = 0;
  let key = '';
  let kept = '';
  let entries: [string, JsonValue][] = [];
  let rows: FileRow[] = [];

  /** A value at depth 1 is an item of the array, at depth 2 a field of a payout; deeper ones were reported already. */
  const onValue = (value: JsonValue): void => {
    if (depth === 1) rows.push(notObjects(++row));
    if (depth === 2) entries.push([key, value]);
  };

  const onStart = (isArray: boolean): void => {
    if (depth === 1 && !isArray) {
      row++;
      entries = [];
    } else if (depth > 0) onValue({ kind: 'other' });
    depth++;
    if (depth > maxDepth)
      throw refuseFile('malformed_json', 'Objects and arrays stand too deep inside one another.', row);
  };

  /** Set while the item read is not an object, so that its end does not count as a payout. */
  let insideArrayItem = false;

  const take = (token: Token): void => {
    switch (token.name) {
      case 'startObject':
        onStart(false);
        return;
      case 'startArray':
        if (depth === 1) insideArrayItem = true;
        onStart(true);
        return;
      case 'endArray':
        depth--;
        if (depth === 1) {
          insideArrayItem = false;
          entries = [];
        }
        return;
      case 'endObject':
        depth--;
        if (depth === 1 && !insideArrayItem) rows.push(jsonRow(row, entries, []));
        return;
      case 'startKey':
      case 'startString':
      case 'startNumber':
        kept = '';
        return;
      case 'stringChunk':
      case 'numberChunk':
        if (kept.length <= maxTextKept) kept += String(token.value);
        return;
      case 'endKey':
        if (depth === 2) key = kept;
        return;
      case 'endString':
        onValue({ kind: 'text', text: kept });
        return;
      case 'endNumber':
        onValue({ kind: 'number', text: kept });
        return;
      case 'nullValue':
        onValue({ kind: 'null' });
        return;
      case 'trueValue':
      case 'falseValue':
        onValue({ kind: 'other' });
        return;
      default:
        throw new InvariantBroken(`a JSON token of an unknown kind: ${token.name}`);
    }
  };

  return {
    take,
    row: () => row,
    rows: (): readonly FileRow[] => {
      const taken = rows;
      rows = [];
      return taken;
    },
    isOpen: () => depth > 0,
  };
};

/** stream-json forgets what it read of a text in which it finds an error: so it is given one object at a time. */
function* piecesOf(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', from)) {
    yield text.slice(from, end + 1);
    from = end + 1;
  }
  yield text.slice(from);
}

/**
 * Rows of a JSON array of objects. Numbers come as their source text. A row that is not an object is an error of its
 * own; text that is no JSON ends the reading.
 */
export async function* readJsonArray(blocks: AsyncIterable<Buffer>): AsyncGenerator<readonly FileRow[]> {
  const parse = jsonParser({ packValues: false, streamValues: true });
  const decoder = new StringDecoder('utf8');
  const assembler = rowAssembler();
  const tokensOf = (text: string): readonly Token[] => {
    try {
      const tokens = parse(text);
      return typeof tokens === 'symbol' ? [] : tokens.values;
    } catch {
      const row = assembler.row();
      throw refuseFile(
        'malformed_json',
        'The file is not valid JSON after this row. Nothing after it can be read.',
        row,
      );
    }
  };
  for await (const block of blocks) {
    for (const piece of piecesOf(decoder.write(block))) for (const token of tokensOf(piece)) assembler.take(token);
    yield assembler.rows();
  }
  for (const token of tokensOf(decoder.end())) assembler.take(token);
  yield assembler.rows();
  if (assembler.isOpen())
    throw refuseFile('malformed_json', 'The JSON array is not closed: the file was cut off.', assembler.row());
}
